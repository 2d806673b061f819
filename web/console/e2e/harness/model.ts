import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Cluster } from './cluster';
import { bin, Daemon, freePorts } from './processes';

/**
 * ModelledCluster is a real manager with the real monitors of nodes whose hypervisor is modelled. It ends with this
 * process.
 */
export class ModelledCluster extends Cluster {
  private constructor(
    url: string,
    tokenFile: string,
    private readonly daemon: Daemon,
  ) {
    super(url, tokenFile);
  }

  /** Returns once its VMs run. */
  static async start(nodes: number, vms: number, ...flags: string[]): Promise<ModelledCluster> {
    const address = `127.0.0.1:${await freePorts(3)}`;
    const args = ['model', '--attached', '--nodes', `${nodes}`, '--vms', `${vms}`, '--rest', address, ...flags];
    const daemon = new Daemon(bin('aliquotd'), args, path.join(os.tmpdir(), `aliquot-e2e-${process.pid}-${address.split(':')[1]}.log`));
    try {
      const said = await daemon.says(/administrator's token is in .*\n/, 360_000);
      return new ModelledCluster(`http://${address}`, said.match(/token is in (\S+)/)![1]!, daemon);
    } catch (error) {
      await daemon.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.daemon.end();
    rmSync(this.daemon.log, { force: true });
  }
}

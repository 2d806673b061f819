import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Cluster } from './cluster';
import { bin, Daemon, freePorts } from './processes';

/** ModelledCluster is a real manager with the real monitors of nodes whose hypervisor is modelled. */
export class ModelledCluster extends Cluster {
  private constructor(
    url: string,
    private readonly folder: string,
    private readonly daemon: Daemon,
  ) {
    super(url, path.join(folder, 'state/secrets/admin.token'));
  }

  /** Returns once its VMs run. */
  static async start(nodes: number, vms: number, ...flags: string[]): Promise<ModelledCluster> {
    const folder = mkdtempSync(path.join(scratch(), 'aliquot-e2e-'));
    const address = `127.0.0.1:${await freePorts(3)}`;
    const args = ['model', '--nodes', `${nodes}`, '--vms', `${vms}`, '--rest', address, '--data', path.join(folder, 'state'), ...flags];
    const daemon = new Daemon(bin('aliquotd'), args, path.join(os.tmpdir(), `aliquot-e2e-${process.pid}.log`));
    const cluster = new ModelledCluster(`http://${address}`, folder, daemon);
    try {
      await daemon.says(/modelled nodes/, 360_000);
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  async end(): Promise<void> {
    await this.daemon.end();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.daemon.log, { force: true });
  }
}

// In memory, where the system has such a place: a thousand nodes flush their leases.
function scratch(): string {
  return os.platform() === 'linux' ? '/dev/shm' : os.tmpdir();
}

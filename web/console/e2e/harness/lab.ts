import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Cluster, type Schemas } from './cluster';
import { bin, Daemon, freePorts, output, root, script, until } from './processes';

const nodes = [
  { name: 'n1', cpu: 1200, memory: '1900Mi' },
  { name: 'n2', cpu: 180, memory: '376Mi' },
  { name: 'n3', cpu: 120, memory: '376Mi' },
];
const policy = ['--policy', 'GreedyPM */stable', '--period', '15s', '--lease', '20s'];

/** Lab is three libvirt nodes on this machine with real VMs, and three managers. */
export class Lab extends Cluster {
  private readonly managers: (Daemon | undefined)[] = [];

  private constructor(
    private readonly run: string,
    private readonly env: Map<string, string>,
    private readonly ports: number,
  ) {
    super(`http://127.0.0.1:${ports}`, path.join(env.get('STATE')!, 'secrets/admin.token'));
  }

  static async start(): Promise<Lab> {
    await lab('sweep');
    const run = 'e' + (process.pid % 0xfffff).toString(16).padStart(5, '0');
    await lab('up', run, ...nodes.map((node) => `${node.name}:${node.cpu}`));
    const printed = await lab('env', run);
    const env = new Map([...printed.matchAll(/^ALIQUOT_LAB_(\w+)=(.*)$/gm)].map((m) => [m[1]!, m[2]!.replace(/^'|'$/g, '')]));
    const cluster = new Lab(run, env, await freePorts(6));
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.end();
      throw error;
    }
    return cluster;
  }

  private async startAll() {
    // The first manager creates the secrets that all managers share.
    this.startManager(1);
    await until('the first manager has made its secrets', 60_000, () => output('cat', [this.tokenFile]));
    this.startManager(2);
    this.startManager(3);
    await until('a manager leads', 60_000, () => this.leader());
    for (const node of nodes) {
      const token = await this.invite(node.name);
      await this.spawn(node.name, 'fence');
      await this.spawn(node.name, 'monitor', '--node', node.name, '--managers', [1, 2, 3].map((i) => this.link(i)).join(','),
        '--join-token', token, '--cpu', `${node.cpu}m`, '--memory', node.memory,
        '--migrate-uri', `qemu+tls://${this.env.get('ADDRESS_' + node.name)}/system`, '--accel', 'tcg');
    }
    await until('all nodes are ready', 90_000, async () => {
      const list = await this.ask<{ health: string; storeProven: boolean }[] | { nodes: { health: string; storeProven: boolean }[] }>('/v1/nodes');
      const all = Array.isArray(list) ? list : list.nodes;
      return all.length === nodes.length && all.every((node) => node.health === 'ready' && node.storeProven);
    });
  }

  /** Writes a join token for the node into a file. The managers invite nodes once all of them have compared their versions. */
  private async invite(node: string): Promise<string> {
    const file = this.state(`${node}.token`);
    await until(`${node} is invited`, 60_000, async () => {
      const { token } = await this.post<Schemas['Invitation']>(`/v1/nodes/${node}/invitation`);
      writeFileSync(file, token, { mode: 0o600 });
      return true;
    });
    return file;
  }

  private state(name: string): string {
    return path.join(this.env.get('STATE')!, name);
  }

  private link(i: number): string {
    return `${this.env.get('GATEWAY')}:${7421 + i}`;
  }

  private raft(i: number): string {
    return `127.0.0.1:${this.ports + 2 + i}`;
  }

  /** Returns the address of a manager's REST. Managers count from 1. */
  manager(i: number): string {
    return `http://127.0.0.1:${this.ports + i - 1}`;
  }

  startManager(i: number) {
    const all = (entry: (i: number) => string) => [1, 2, 3].map((n) => `${n}=${entry(n)}`).join(',');
    const data = this.state(`manager-${i}`);
    mkdirSync(data, { recursive: true });
    this.managers[i] = new Daemon(
      bin('aliquotd'),
      ['manager', '--replica', `${i}`, '--data', data, '--secrets', this.state('secrets'), '--store', this.env.get('STORE')!,
        '--image', path.join(root, 'build/guest'), '--rest', this.manager(i).replace('http://', ''), '--link', this.link(i),
        '--members', all((n) => this.raft(n)), '--links', all((n) => this.link(n)), '--urls', all((n) => this.manager(n)), ...policy],
      this.state(`manager-${i}.log`),
    );
  }

  /** Drains all nodes but one and opens them again, so that the next rebalancing has work to do. */
  async crowd(name: string) {
    const others = nodes.map((node) => node.name).filter((node) => node !== name);
    for (const node of others) await this.post(`/v1/nodes/${node}/drain`);
    await until(`all is on ${name}`, 180_000, async () => {
      const { movesUnderWay, tasks } = await this.ask<Schemas['Overview']>('/v1/overview');
      const { nodes: all } = await this.ask<Schemas['NodeList']>('/v1/nodes');
      const running = Object.keys(tasks).every((state) => state === 'running' || tasks[state] === 0);
      return movesUnderWay === 0 && running && all.every((node) => node.name === name || node.tasks === 0);
    });
    for (const node of others) await this.post(`/v1/nodes/${node}/uncordon`);
  }

  private async spawn(node: string, role: string, ...args: string[]) {
    await lab('spawn', this.run, node, this.state(`${node}-${role}.log`), bin('aliquotd'), role, ...args);
  }

  /** Returns the number of the manager that reports that it leads, or 0. */
  async leader(): Promise<number> {
    for (const i of [1, 2, 3]) {
      if (!this.managers[i]?.alive) continue;
      const health = await this.ask<{ leads: boolean }>('/v1/health', {}, this.manager(i)).catch(() => undefined);
      if (health?.leads) return i;
    }
    return 0;
  }

  /** Kills a manager, as a crash would. */
  async kill(i: number) {
    await this.managers[i]!.end('SIGKILL');
  }

  async end() {
    await Promise.all(this.managers.map((manager) => manager?.end())); // first, because they write into folders that down removes
    await lab('down', this.run).catch((error: unknown) => console.error(error));
  }
}

// If this process dies, the next sweep removes the cluster that it left.
function lab(...args: string[]): Promise<string> {
  return output(script('lab'), args, { ALIQUOT_LAB_OWNER: `${process.pid}` });
}

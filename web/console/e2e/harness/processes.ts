import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

/** Root folder of the repository. */
export const root = path.resolve(import.meta.dirname, '../../../..');
export const bin = (name: string) => path.join(root, 'bin', name);
export const script = (name: string) => path.join(root, 'scripts', name);

const run = promisify(execFile);

/** Runs a command to its end and returns its output. */
export async function output(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run(command, args, { cwd: root, env: { ...process.env, ...env }, maxBuffer: 16 << 20 });
  return stdout;
}

/** Daemon is a process that runs until it is ended. Its output goes to a file. Its input ends with this process. */
export class Daemon {
  private readonly process: ChildProcess;
  private readonly ended: Promise<void>;
  private printed = '';

  constructor(command: string, args: string[], readonly log: string) {
    writeFileSync(log, '', { flag: 'a' });
    // An interrupt of the tests must not end it before its cluster is removed.
    this.process = spawn(command, args, { cwd: root, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    this.process.stdout!.on('data', (text: Buffer) => {
      this.printed += text.toString();
    });
    this.process.stderr!.on('data', (text: Buffer) => appendFileSync(log, text));
    this.ended = new Promise((done) => this.process.once('exit', () => done()));
  }

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits until the output matches, and returns it. */
  async says(what: RegExp, patience: number): Promise<string> {
    await until(`${path.basename(this.log)} says ${what}`, patience, () => {
      if (!this.alive) throw new Fatal(`the process has ended; its log is ${this.log}`);
      return what.test(this.printed);
    });
    return this.printed;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.alive) this.process.kill(signal);
    await this.ended;
  }
}

/** Fatal ends a wait at once, because longer waiting is pointless. */
export class Fatal extends Error {}

/** Repeats a look until it returns a value. Errors of the look count as not yet. */
export async function until<T>(what: string, patience: number, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + patience;
  let problem: unknown;
  for (;;) {
    try {
      const found = await look();
      if (found) return found as NonNullable<T>;
      problem = undefined;
    } catch (error) {
      if (error instanceof Fatal) throw error;
      problem = error;
    }
    if (Date.now() > deadline) throw new Error(`not within ${patience / 1000} s: ${what}`, { cause: problem });
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** Returns the first of the given number of consecutive free ports on loopback. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await claim(0);
    const rest = await Promise.all(Array.from({ length: count - 1 }, (_, i) => claim(first + 1 + i).then(() => true, () => false)));
    if (first > 0 && rest.every(Boolean)) return first;
  }
}

function claim(port: number): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

import { readFileSync } from 'node:fs';
import type { components } from '../../src/api/schema';
import { bin, output, until } from './processes';

export type Schemas = components['schemas'];

/** Cluster is the interface of a cluster for tests: a manager to look at, and its administrator's token. */
export class Cluster {
  constructor(
    /** URL of one manager's REST. */
    readonly url: string,
    readonly tokenFile: string,
  ) {}

  /** Returns a one-time address of the console, as a newcomer gets it. */
  async loginAddress(url = this.url): Promise<string> {
    const printed = await output(bin('aliquot'), ['console', 'login'], { ALIQUOT_MANAGERS: url, ALIQUOT_TOKEN_FILE: this.tokenFile });
    const address = printed.match(/https?:\/\/\S+#code=\S+/)?.[0];
    if (!address) throw new Error(`aliquot console login printed ${JSON.stringify(printed)}`);
    return address;
  }

  /** Sends a request to the API as the administrator. */
  async ask<T>(path: string, init: RequestInit = {}, url = this.url): Promise<T> {
    const token = readFileSync(this.tokenFile, 'utf8').trim();
    const response = await fetch(url + path, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.ask<T>(path, { method: 'POST', body: JSON.stringify(body) });
  }

  job(id: string): Promise<Schemas['Job']> {
    return this.ask(`/v1/jobs/${id}`);
  }

  async submit(spec: Partial<Schemas['JobSpec']> & { cpu: string; memory: string }): Promise<string> {
    const accepted = await this.post<Schemas['Accepted']>('/v1/jobs', spec);
    return accepted.job!;
  }

  /** Returns the job once the condition holds. */
  async awaitJob(id: string, what: string, holds: (job: Schemas['Job']) => boolean, patience = 180_000): Promise<Schemas['Job']> {
    let job = await this.job(id);
    await until(`${id} is ${what}`, patience, async () => {
      job = await this.job(id);
      return holds(job);
    });
    return job;
  }
}

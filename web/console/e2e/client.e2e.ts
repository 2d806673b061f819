import { readFileSync } from 'node:fs';
import createClient, { type Middleware } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { paths } from '../src/api/schema';
import { ModelledCluster } from './harness/model';

let cluster: ModelledCluster;

beforeAll(async () => {
  cluster = await ModelledCluster.start(2, 4);
});

afterAll(async () => {
  await cluster?.end();
});

describe("a client made of the document, with nothing of the console's", () => {
  test('submits a job, lists it, follows it until it runs, and cancels it', async () => {
    const { GET, POST, DELETE, use } = createClient<paths>({ baseUrl: cluster.url });
    use(bearer(readFileSync(cluster.tokenFile, 'utf8').trim()));
    const spec = { tasks: 1, cpu: '50m', memory: '64Mi', command: ['serve', '50'], labels: { made: 'by-ts', try: '1' } };
    const { data: accepted } = await POST('/v1/jobs', { body: spec });
    const job = accepted!.job!;
    const { data: listed } = await GET('/v1/jobs', { params: { query: { state: ['active', 'ended'], label: ['made=by-ts', 'try=1'] } } });
    expect(listed!.jobs.map((it) => it.id)).toEqual([job]);
    const follow = async (kind: string) => {
      const { data: stream } = await GET('/v1/events', { params: { query: { job, since: `${accepted!.revision}` } }, parseAs: 'stream' });
      await seen(stream!, `"kind":"${kind}"`);
    };
    await follow('task_started');
    expect((await DELETE('/v1/jobs/{job}', { params: { path: { job }, query: { cause: 'the tour is over' } } })).response.status).toBe(200);
    await follow('job_ended');
    const { data: got } = await GET('/v1/jobs/{job}', { params: { path: { job } } });
    expect(got!.state).toBe('cancelled');
    const { error } = await DELETE('/v1/jobs/{job}', { params: { path: { job } } });
    expect(error?.code).toBe('conflict');
  });
});

const bearer = (token: string): Middleware => ({
  onRequest: ({ request }) => {
    request.headers.set('Authorization', `Bearer ${token}`);
  },
});

/** Reads the stream until it has the text. */
async function seen(stream: ReadableStream<Uint8Array>, text: string) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let read = '';
  while (!read.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the events ended before ${text}: ${read}`);
    read += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
}

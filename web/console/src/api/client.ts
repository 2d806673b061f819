import createClient, { type Middleware } from 'openapi-fetch';
import { ProblemError, readProblem } from './problem';
import type { components, paths } from './schema';

/** The types of the API's answers and requests, by their names in the OpenAPI document. */
export type Schemas = components['schemas'];
export type Job = Schemas['Job'];
export type JobSpec = Schemas['JobSpec'];
export type Task = Schemas['Task'];
export type Node = Schemas['Node'];
export type Event = Schemas['Event'];
export type Move = Schemas['Move'];
export type Plan = Schemas['Plan'];
export type Hypothesis = Schemas['Hypothesis'];

const failures: Middleware = {
  onRequest({ request }) {
    // A page of another origin cannot set this header, so the cookie alone changes nothing.
    request.headers.set('Aliquot-Console', '1');
  },
  async onResponse({ response }) {
    if (!response.ok) throw new ProblemError(await readProblem(response));
  },
  onError({ error }) {
    return unanswered(error);
  },
};

/** The problem if no answer comes. */
export const unreachable: Schemas['Problem'] = {
  type: 'about:blank',
  title: 'No connection',
  status: 0,
  code: 'unreachable',
  detail: 'the manager does not answer',
  help: 'Check that it runs and that the network reaches it; this page tries again by itself.',
};

/**
 * Returns the problem of a failed request or stream. A refusal keeps the API's words; every other failure means that no
 * manager answers.
 */
export const unanswered = (error: unknown) => (error instanceof ProblemError ? error : new ProblemError(unreachable));

const patience = 35_000; // the manager takes 30 s at most

/** The API. A call throws a ProblemError if it fails, or if it takes longer than a manager may take. */
export const api = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? undefined : location.origin,
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: (request) => globalThis.fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(patience)]) }),
});
api.use(failures);

/** Returns the content of an answer. Undefined content is a bug of the client's types. */
export async function content<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer.catch((error: unknown) => {
    throw error instanceof DOMException ? unanswered(error) : error; // the connection broke in the middle of the answer
  });
  if (data === undefined) throw new Error('the answer has no content');
  return data;
}

/** Returns a new key. A request that is repeated with its key after a broken connection is done once. */
export function idempotencyKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return 'console-' + Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

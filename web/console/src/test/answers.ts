import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { faults, type Asked } from './contract';

export type { Asked };

type Answer = unknown | ((asked: Asked) => unknown);

/** Refusal is an answer with another status than 200. */
export class Refusal {
  constructor(readonly problem: { status: number }) {}
}

/** Reasons why the API would have refused requests that a test did not refuse. There must be none after each test. */
export const refused: string[] = [];

/**
 * Answers each request with the answer given for "METHOD /path", and any other request with an error. Returns the
 * requests, in order.
 */
export function answer(answers: Record<string, Answer>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), 'http://console.test'), init);
    const url = new URL(request.url);
    const text = await request.text();
    const it: Asked = {
      method: request.method, path: url.pathname, query: url.searchParams, headers: request.headers, body: text ? JSON.parse(text) : undefined,
    };
    asked.push(it);
    const given = answers[`${it.method} ${it.path}`];
    const result = typeof given === 'function' ? given(it) : given;
    if (!(result instanceof Refusal)) refused.push(...faults(it));
    if (given === undefined) throw new TypeError(`nothing answers ${it.method} ${it.path}`);
    if (result instanceof Refusal) return json(result.problem, result.problem.status, 'application/problem+json');
    if (result instanceof Response) return result;
    return json(result, 200, 'application/json');
  });
  return asked;
}

const json = (value: unknown, status: number, type: string) => new Response(JSON.stringify(value), { status, headers: { 'content-type': type } });

/** Returns an answer that the server's own tests have recorded, from web/testdata. */
export function golden<T>(name: string): T {
  return JSON.parse(readFileSync(`../testdata/${name}`, 'utf8')) as T;
}

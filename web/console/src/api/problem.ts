import type { components } from './schema';

/** An error in the form of every endpoint: application/problem+json. */
export type Problem = components['schemas']['Problem'];

/** ProblemError is a refused or failed request, in the API's words. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
    this.name = 'ProblemError';
  }
}

/** Reads the problem from an answer. The answer may come from a proxy between us and the manager. */
export async function readProblem(response: Response): Promise<Problem> {
  const bare: Problem = {
    type: 'about:blank',
    title: response.statusText || 'Error',
    status: response.status,
    code: 'http_' + response.status,
    detail: `the answer is ${response.status} ${response.statusText}`.trim(),
    help: 'Try again; if it persists, see the log of the manager.',
  };
  if (!response.headers.get('content-type')?.includes('problem+json')) return bare;
  try {
    return { ...bare, ...((await response.json()) as Partial<Problem>) };
  } catch {
    return bare;
  }
}

/** Converts any thrown value to a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return {
    type: 'about:blank',
    title: 'Error of the console',
    status: 0,
    code: 'console',
    detail: error instanceof Error ? error.message : String(error),
    help: 'Reload the page; if it persists, please report it.',
  };
}

export const hasCode = (error: unknown, ...codes: string[]) => error instanceof ProblemError && codes.includes(error.problem.code);

/** Returns the problems of a request by field. */
export function faultsByField(problem: Problem): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const fault of problem.errors ?? []) faults[fault.field] = fault.message;
  if (problem.field) faults[problem.field] ??= problem.detail;
  return faults;
}

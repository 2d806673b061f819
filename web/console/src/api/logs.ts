import { unanswered } from './client';
import { ProblemError, readProblem } from './problem';

/** Which output of a task. */
export interface LogSource {
  job: string;
  task: number;
  /** Number of the start; 0: none yet. */
  run: number;
  stream: 'stdout' | 'stderr' | 'all' | 'console';
}

/** The address of a log; from an offset on, in bytes, it is followed until the run has ended. */
export function logAddress({ job, task, run, stream }: LogSource, offset?: number): string {
  const query = new URLSearchParams({ task: String(task), run: String(run), stream });
  if (offset !== undefined) {
    query.set('offset', String(offset));
    query.set('follow', 'true');
  }
  return `/v1/jobs/${job}/logs?${query.toString()}`;
}

/** Takes a log as it comes: once when it begins to come, and then piece by piece. */
export interface LogReader {
  begins: () => void;
  piece: (bytes: Uint8Array) => void;
}

/** Reads a log until it ends, which need not be the end of the run, or the signal comes. What fails is a ProblemError. */
export async function readLog(source: LogSource, offset: number, signal: AbortSignal, to: LogReader): Promise<void> {
  try {
    const response = await fetch(logAddress(source, offset), { signal, credentials: 'same-origin', cache: 'no-store' });
    if (!response.ok) throw new ProblemError(await readProblem(response));
    to.begins();
    const reader = response.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      to.piece(value);
    }
  } catch (error) {
    throw unanswered(error);
  }
}

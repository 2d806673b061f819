import { unanswered } from './client';
import { ProblemError, readProblem } from './problem';

/** Selects an output of a task. */
export interface LogSource {
  job: string;
  task: number;
  /** Number of the start; 0: none yet. */
  run: number;
  stream: 'stdout' | 'stderr' | 'all' | 'console';
}

/** Returns the address of a log from an offset in bytes; it is followed until the run has ended. */
export function logAddress({ job, task, run, stream }: LogSource, offset?: number): string {
  const query = new URLSearchParams({ task: String(task), run: String(run), stream });
  if (offset !== undefined) {
    query.set('offset', String(offset));
    query.set('follow', 'true');
  }
  return `/v1/jobs/${job}/logs?${query.toString()}`;
}

/** Receives a log: begins is called once when the answer begins, then piece for each piece. */
export interface LogReader {
  begins: () => void;
  piece: (bytes: Uint8Array) => void;
}

/**
 * Reads a log until it ends or the signal is aborted. The log may end before the run does. Failures are ProblemErrors.
 */
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

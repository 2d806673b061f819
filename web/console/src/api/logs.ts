import { ProblemError, readProblem } from './problem';

/** Which output of a task. */
export interface LogSource {
  job: string;
  task: number;
  /** Number of the start; left out: the latest. */
  run?: number;
  stream: 'stdout' | 'stderr' | 'all' | 'console';
}

/** The address of a log; followed, it goes on until the run has ended. */
export function logAddress(source: LogSource, follow: boolean): string {
  const query = new URLSearchParams({ task: String(source.task), stream: source.stream });
  if (source.run) query.set('run', String(source.run));
  if (follow) query.set('follow', 'true');
  return `/v1/jobs/${source.job}/logs?${query.toString()}`;
}

/** Reads a log piece by piece until it ends or the signal comes. */
export async function readLog(source: LogSource, signal: AbortSignal, piece: (text: string) => void): Promise<void> {
  const response = await fetch(logAddress(source, true), { signal, credentials: 'same-origin', cache: 'no-store' });
  if (!response.ok) throw new ProblemError(await readProblem(response));
  const reader = response.body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    piece(value);
  }
}

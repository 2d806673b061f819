import { useEffect, useRef, useState } from 'react';
import { readLog, type LogSource } from '../../api/logs';
import { ProblemError } from '../../api/problem';
import { useAway } from '../../live/away';
import { plain } from '../../wording/plain';

/** The part of a log that was read. */
export interface Log {
  text: string;
  /** Characters omitted at the beginning, because a page can only show a limited length. */
  dropped: number;
  /** Broken: reading is tried again. */
  state: 'reading' | 'broken' | 'ended';
  /** Why reading failed, or why there is no more. */
  error?: unknown;
}

const most = 400_000;
const begin: Log = { text: '', dropped: 0, state: 'reading' };
const patience = { first: 500, most: 10_000 };

/**
 * Follows the output of a run while the component is mounted, the tab is visible and the manager answers. Output that
 * was read stays. The log has ended only if the run is over.
 */
export function useLog({ job, task, run, stream }: LogSource, over: boolean): Log {
  const [log, setLog] = useState(begin);
  const away = useAway();
  const last = useRef(over);
  const place = useRef({ of: '', offset: 0, decoder: new TextDecoder() });
  useEffect(() => {
    last.current = over;
  }, [over]);
  useEffect(() => {
    if (away) return undefined;
    const of = [job, task, run, stream].join('/');
    if (place.current.of !== of) {
      place.current = { of, offset: 0, decoder: new TextDecoder() };
      setLog(begin);
    }
    const at = place.current;
    const control = new AbortController();
    const text = gathered((more) => setLog((old) => grown(old, more)));
    const become = (change: Partial<Log>) => setLog((old) => ({ ...old, error: undefined, ...change }));
    const read = () =>
      readLog({ job, task, run, stream }, at.offset, control.signal, {
        begins: () => become({ state: 'reading' }),
        piece: (bytes) => {
          at.offset += bytes.length;
          text.add(at.decoder.decode(bytes, { stream: true }));
        },
      });
    const follow = async () => {
      for (let failures = 0; !control.signal.aborted; failures++) {
        const before = at.offset;
        const error: unknown = await read().then(() => undefined, (reason: unknown) => reason);
        if (control.signal.aborted) return;
        text.flush();
        if (error === undefined && last.current) return become({ state: 'ended' });
        if (final(error)) return become({ state: 'ended', error });
        if (error !== undefined) become({ state: 'broken', error });
        if (at.offset > before) failures = 0;
        await pause(Math.min(patience.most, patience.first * 2 ** failures), control.signal);
      }
    };
    void follow();
    return () => {
      control.abort();
      text.flush();
    };
  }, [job, task, run, stream, away]);
  return log;
}

/** A refused request would be refused again. Other failures, and too many requests, may pass. */
function final(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status >= 400 && error.problem.status < 500 && error.problem.status !== 429;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resume) => {
    const timer = setTimeout(resume, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resume();
    });
  });

/** Collects pieces of text, so that the page is drawn once per frame however many arrive. */
function gathered(take: (text: string) => void) {
  let waiting = '';
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (waiting !== '') take(waiting);
    waiting = '';
  };
  const add = (text: string) => {
    waiting += text;
    frame ||= requestAnimationFrame(flush);
  };
  return { add, flush };
}

/** Appends text to a log, and drops text at its beginning if it gets too long. */
export function grown(log: Log, text: string): Log {
  const whole = log.text + plain(text);
  const excess = Math.max(0, whole.length - most);
  return { ...log, text: whole.slice(excess), dropped: log.dropped + excess };
}

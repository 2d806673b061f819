import { useEffect, useState } from 'react';
import { readLog, type LogSource } from '../../api/logs';
import { plain } from '../../wording/plain';

/** What was read of a log. */
export interface Log {
  text: string;
  /** Characters left out at the beginning, because a page cannot show any length. */
  dropped: number;
  state: 'reading' | 'ended';
  error?: unknown;
}

const most = 400_000;
const begin: Log = { text: '', dropped: 0, state: 'reading' };

/** Follows a log while the component is mounted; `latest` makes it begin again when the task starts anew. */
export function useLog({ job, task, stream, run }: LogSource, latest: number): Log {
  const [log, setLog] = useState(begin);
  useEffect(() => {
    const control = new AbortController();
    setLog(begin);
    let waiting = '';
    let frame = 0;
    const flush = () => {
      frame = 0;
      const text = waiting;
      waiting = '';
      setLog((old) => grown(old, text));
    };
    readLog({ job, task, stream, run }, control.signal, (text) => {
      waiting += text;
      frame ||= requestAnimationFrame(flush);
    }).then(
      () => {
        flush();
        setLog((old) => ({ ...old, state: 'ended' }));
      },
      (error: unknown) => {
        if (!control.signal.aborted) setLog((old) => ({ ...old, state: 'ended', error }));
      },
    );
    return () => {
      control.abort();
      cancelAnimationFrame(frame);
    };
  }, [job, task, stream, run, latest]);
  return log;
}

/** A log with more text at its end, and less at its beginning if it gets too long. */
export function grown(log: Log, text: string): Log {
  const whole = log.text + plain(text);
  const excess = Math.max(0, whole.length - most);
  return { ...log, text: whole.slice(excess), dropped: log.dropped + excess };
}

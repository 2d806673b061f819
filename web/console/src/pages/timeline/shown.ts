import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Range } from './range';

const minute = 60_000;

/** The lengths of time that follow the present. */
export const lengths: [label: string, ms: number][] = [
  ['15 min', 15 * minute],
  ['1 h', 60 * minute],
  ['6 h', 360 * minute],
  ['24 h', 1440 * minute],
];

/** What the timeline shows, as the address tells it: the last while, which moves on, or a stretch that stays. */
export interface Shown {
  range: Range;
  /** Milliseconds until now; undefined: the range stays. */
  last: number | undefined;
  /** Nobody has said how long: a young cluster's timeline begins where the cluster does. */
  fitted: boolean;
  show: (range: Range) => void;
  follow: (ms: number) => void;
}

export function useShown(): Shown {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (values: Record<string, string>) =>
      setParameters(
        (old) => {
          const next = new URLSearchParams(old);
          for (const name of ['from', 'to', 'last']) next.delete(name);
          for (const [name, value] of Object.entries(values)) next.set(name, value);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParameters],
  );
  const { from, to } = { from: Date.parse(parameters.get('from') ?? ''), to: Date.parse(parameters.get('to') ?? '') };
  const fixed = Number.isFinite(from) && Number.isFinite(to) && from < to;
  const last = fixed ? undefined : Number(parameters.get('last')) * 1000 || lengths[1]![1];
  const range = useMemo(() => (fixed ? { from, to } : { from: Date.now() - last!, to: Date.now() }), [fixed, from, to, last]);
  return {
    range,
    last,
    fitted: !fixed && !parameters.has('last'),
    show: (it) => change({ from: new Date(it.from).toISOString(), to: new Date(it.to).toISOString() }),
    follow: (ms) => change({ last: String(ms / 1000) }),
  };
}

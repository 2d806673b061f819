import { put, useParameters } from '../../ui/url';
import type { Range } from '../../ui/gantt/range';

const minute = 60_000;

/** The lengths of periods up to now. */
export const lengths: [label: string, ms: number][] = [
  ['15 min', 15 * minute],
  ['1 h', 60 * minute],
  ['6 h', 360 * minute],
  ['24 h', 1440 * minute],
];

/**
 * The period that the timeline shows, as the address selects it: the last period up to now, which moves on, or a fixed
 * part.
 */
export interface Shown {
  /** Undefined: the last period. */
  part: Range | undefined;
  /** Length of the last period, in milliseconds; a fixed part returns to it. */
  last: number;
  /** The address selects no length. Then a young cluster's timeline begins where the cluster does. */
  fitted: boolean;
  /** Undefined: back to the last period. */
  show: (part: Range | undefined) => void;
  follow: (ms: number) => void;
}

export function useShown(): Shown {
  const [parameters, change] = useParameters();
  const show = (part: Range | undefined) =>
    change((changed) => {
      put(changed, 'from', part ? new Date(part.from).toISOString() : '');
      put(changed, 'to', part ? new Date(part.to).toISOString() : '');
    });
  return {
    part: partOf(parameters),
    last: Number(parameters.get('last')) * 1000 || lengths[1]![1],
    fitted: !parameters.has('last'),
    show,
    follow: (ms) => {
      show(undefined);
      change((changed) => changed.set('last', String(ms / 1000)));
    },
  };
}

function partOf(parameters: URLSearchParams): Range | undefined {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(parameters.get(name) ?? ''));
  return from! < to! ? { from: from!, to: to! } : undefined;
}

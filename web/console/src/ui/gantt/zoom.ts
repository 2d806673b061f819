import { useState } from 'react';
import { useSettled } from '../settled';
import { within, type Range } from './range';

/** What there is to see, and what is seen of it. */
export interface Zoomed {
  whole: Range;
  /** Nothing is seen beyond the whole. */
  bounded?: boolean;
  /** Undefined: the whole is seen. */
  part: Range | undefined;
  /** Told the part to which a gesture has come, in whole milliseconds, once that is over. */
  onPart: (part: Range | undefined) => void;
}

interface Zoom {
  range: Range;
  show: (range: Range) => void;
  /** Undefined: the whole is shown. */
  reset: (() => void) | undefined;
}

/** The range to show, of which only the end of a gesture is told. */
export function useZoom({ whole, bounded, part, onPart }: Zoomed): Zoom {
  const [moving, move] = useState<Range>();
  const settle = useSettled(part, onPart, () => move(undefined), words);
  const limited = (it: Range) => (bounded ? within(it, whole) : it);
  const range = limited(moving ?? part ?? whole);
  const show = (it: Range) => {
    const { from, to } = limited(it);
    move({ from, to });
    settle({ from: Math.round(from), to: Math.round(to) });
  };
  const reset = () => {
    settle.cancel();
    move(undefined);
    onPart(undefined);
  };
  return { range, show, reset: range.from === whole.from && range.to === whole.to ? undefined : reset };
}

const words = (part: Range | undefined) => (part ? `${part.from}-${part.to}` : '');

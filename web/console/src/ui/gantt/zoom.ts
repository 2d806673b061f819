import { useState } from 'react';
import { useSettled } from '../settled';
import { within, type Range } from './range';

/** The whole range, and the visible part of it. */
export interface Zoomed {
  whole: Range;
  /** The view never leaves the whole range. */
  bounded?: boolean;
  /** Undefined: the whole range is visible. */
  part: Range | undefined;
  /** Called with the visible part after a gesture, in whole milliseconds. */
  onPart: (part: Range | undefined) => void;
}

interface Zoom {
  range: Range;
  show: (range: Range) => void;
  /** Undefined: the whole range is visible. */
  reset: (() => void) | undefined;
}

/** Returns the range to show. Only the end of a gesture is reported. */
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

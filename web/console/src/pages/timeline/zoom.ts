import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { within, type Range } from './range';

const rest = 250; // milliseconds without a change, after which a gesture is over

/** What there is to see, and what is seen of it. */
export interface Zoomed {
  whole: Range;
  /** Nothing is seen beyond the whole. */
  bounded?: boolean;
  /** Undefined: the whole is seen. */
  part: Range | undefined;
  /** Told the part to which a gesture has come, once that is over. */
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
  const settle = useDebouncedCallback(onPart, rest);
  useEffect(() => {
    if (!settle.isPending()) move(undefined);
  }, [part?.from, part?.to, settle]);
  const limited = (it: Range) => (bounded ? within(it, whole) : it);
  const range = limited(moving ?? part ?? whole);
  const show = (it: Range) => {
    move(limited(it));
    settle(limited(it));
  };
  const reset = () => {
    settle.cancel();
    move(undefined);
    onPart(undefined);
  };
  return { range, show, reset: range.from === whole.from && range.to === whole.to ? undefined : reset };
}

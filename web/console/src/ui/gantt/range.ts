/** Range is the visible period, in milliseconds. */
export interface Range {
  from: number;
  to: number;
}

const shortest = 1000;
const longest = 90 * 24 * 3600 * 1000;

/** Multiplies the length of the range and keeps one time in its place. */
export function zoomed({ from, to }: Range, times: number, at = (from + to) / 2): Range {
  const length = Math.min(longest, Math.max(shortest, (to - from) * times));
  const part = (at - from) / (to - from);
  return { from: at - part * length, to: at + (1 - part) * length };
}

/** Moves the range by a part of its length. */
export function panned({ from, to }: Range, part: number): Range {
  const by = part * (to - from);
  return { from: from + by, to: to + by };
}

/** Moves the range into the limits. Its length stays if it can. */
export function within({ from, to }: Range, limits: Range): Range {
  const length = Math.min(to - from, limits.to - limits.from);
  const start = Math.min(Math.max(from, limits.from), limits.to - length);
  return { from: start, to: start + length };
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600].map((s) => s * 1000);

/**
 * Returns at most the given number of round times for the axis, and their distance. Times are round as counted from
 * zero.
 */
export function ticks({ from, to }: Range, most: number, zero = 0): { step: number; at: number[] } {
  const step = steps.find((it) => (to - from) / it <= most) ?? steps.at(-1)!;
  const at: number[] = [];
  for (let t = zero + Math.ceil((from - zero) / step) * step; t <= to; t += step) at.push(t);
  return { step, at };
}

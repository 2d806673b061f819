/** Returns the least distance of an axis' marks, in pixels, at which their words do not overlap. */
export function spaceFor(words: (value: number) => string, low: number, high: number): number {
  const samples = 24;
  let longest = 0;
  for (let i = 0; i <= samples; i++) longest = Math.max(longest, words(Math.round(low + ((high - low) * i) / samples)).length);
  return longest * letter + gap;
}

const letter = 7; // widest mean width of a letter in uPlot's 12 px type
const gap = 16;

/** Returns the upper end of an axis that begins at 0: a little above the greatest value, and at least `least`. */
export function topOf(greatest: number | null, least = 0): number {
  const high = greatest && greatest > 0 ? greatest * 1.08 : 1;
  return Math.max(least, high);
}

/**
 * Distances of marks that are round amounts of memory, in bytes: 1, 2, 5, 10, 20, 50, 100, 200 and 500 of each unit up
 * to PiB.
 */
export const roundBytes = [0, 1, 2, 3, 4, 5].flatMap((unit) => [1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * 1024 ** unit));

/** Distances of marks that are round durations, in seconds. */
export const roundDurations = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000, 1_728_000];

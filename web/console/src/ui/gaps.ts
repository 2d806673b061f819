/** Returns the positions of values between two gaps. No line leads to them, so they are drawn as points. */
export function alone(values: ArrayLike<number | null | undefined>): number[] {
  const there = (i: number) => values[i] !== null && values[i] !== undefined;
  return Array.from(values, (_, i) => i).filter((i) => there(i) && !there(i - 1) && !there(i + 1));
}

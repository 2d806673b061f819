import { expect, test } from 'vitest';
import { Room } from './room';

test('what is taken lies as low as it fits, and what is given back is taken again', () => {
  const room = new Room();
  expect([room.take(5), room.take(3), room.take(4)]).toEqual([0, 5, 8]);
  room.give(5, 3);
  expect([room.take(4), room.take(2), room.take(1), room.take(1)]).toEqual([12, 5, 7, 16]);
});

test('what was there before comes back to its place, unless that is no longer free', () => {
  const room = new Room();
  room.take(4);
  expect(room.take(2, 10)).toBe(10);
  expect(room.take(2, 11)).toBe(4);
  room.give(10, 2);
  expect(room.take(2, 11)).toBe(11);
});

test('gaps that touch are one', () => {
  const room = new Room();
  for (let i = 0; i < 4; i++) room.take(1);
  for (const at of [0, 2, 1]) room.give(at, 1);
  expect(room.take(3)).toBe(0);
});

/** A dumb Room that looks at every gap. */
class Plain {
  private readonly taken: { at: number; size: number }[] = [];

  take(size: number, home: number): number {
    const free = (at: number) => at >= 0 && this.taken.every((it) => at + size <= it.at || at >= it.at + it.size);
    const at = [home, ...[0, ...this.taken.map((it) => it.at + it.size)].sort((a, b) => a - b)].find(free)!;
    this.taken.push({ at, size });
    return at;
  }

  give(at: number) {
    this.taken.splice(this.taken.findIndex((it) => it.at === at), 1);
  }
}

/** Pseudo-random numbers below 1. */
function drawn(seed: number) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test('places are the same as when everything is looked at', () => {
  const random = drawn(7);
  const [room, plain] = [new Room(), new Plain()];
  const held: { at: number; size: number }[] = [];
  for (let i = 0; i < 3000; i++) {
    const [gone] = held.length > 60 * random() ? held.splice(Math.floor(held.length * random()), 1) : [];
    if (gone) {
      room.give(gone.at, gone.size);
      plain.give(gone.at);
    }
    const [size, home] = [1 + Math.floor(9 * random()), random() < 0.5 ? -1 : Math.floor(100 * random())];
    const at = room.take(size, home);
    expect(at).toBe(plain.take(size, home));
    held.push({ at, size });
  }
});

test.each([1000, 10_000])('of %d that overlap, each is placed by looking at few gaps, also where these are too small', (count) => {
  const room = new Room();
  for (let i = 0; i < count; i++) room.take(1);
  for (let i = 0; i < count; i += 2) room.give(i, 1);
  for (let i = 0; i < count / 2; i++) room.take(2);
  for (let i = 1; i < count; i += 2) room.give(i, 1);
  expect(room.take(count)).toBe(0);
  expect(room.looks / (2.5 * count)).toBeLessThan(12 * Math.log2(count));
});

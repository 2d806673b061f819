import { expect, test } from 'vitest';
import { inkOn, jobColour, jobHatch } from './palette';

test('three dozen jobs in a row differ in colour or hatch', () => {
  const looks = Array.from({ length: 36 }, (_, i) => `${jobColour(`j${100 + i}`)} ${jobHatch(`j${100 + i}`)}`);
  expect(new Set(looks).size).toBe(36);
});

test('a name is black on bright colours and white on dark ones', () => {
  expect(['#ffffff', '#e69f00', '#56b4e9', '#000000', '#0072b2', '#7a5ea8'].map(inkOn)).toEqual(['#000000', '#000000', '#000000', '#ffffff', '#ffffff', '#ffffff']);
});

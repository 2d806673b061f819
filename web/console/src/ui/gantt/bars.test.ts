import { expect, test } from 'vitest';
import type { Span } from '../../api/spans';
import { barAt, rowsOf } from './bars';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const ms = (minute: number) => Date.parse(at(minute));

function span(job: string, from: number, to: number | undefined, share: number, over: Partial<Span> = {}): Span {
  return { job, task: 0, run: 1, node: 'n1', state: 'running', shareMillicores: share, needMillicores: 1000, from: at(from), to: to === undefined ? undefined : at(to), began: 'task_started', ...over };
}

const capacity = new Map([
  ['n1', 2000],
  ['n2', 1000],
  ['n10', 1000],
]);

test('every node has a row, in the order in which people count', () => {
  expect(rowsOf([], 'nodes', capacity, ms(60)).map((row) => row.id)).toEqual(['n1', 'n2', 'n10']);
});

test('bars are as thick as their shares, and those of one time do not overlap', () => {
  const [row] = rowsOf([span('j1', 0, 30, 500), span('j2', 10, 50, 700), span('j3', 20, undefined, 800), span('j4', 40, 50, 400)], 'nodes', capacity, ms(60));
  expect(row!.whole).toBe(2000);
  expect(row!.bars.map((bar) => [bar.span.job, bar.offset, bar.thickness])).toEqual([
    ['j1', 0, 500],
    ['j2', 500, 700],
    ['j3', 1200, 800],
    ['j4', 0, 400],
  ]);
});

test('a task whose share shrinks stays where it is', () => {
  const [row] = rowsOf([span('j1', 0, 10, 500), span('j2', 0, 30, 500), span('j1', 10, 20, 200), span('j1', 20, 30, 500)], 'nodes', capacity, ms(60));
  expect(row!.bars.filter((bar) => bar.span.job === 'j1').map((bar) => bar.offset)).toEqual([0, 0, 0]);
});

test('a span that lasts goes on until now', () => {
  const [row] = rowsOf([span('j1', 0, undefined, 500)], 'nodes', capacity, ms(45));
  expect(row!.bars[0]).toMatchObject({ to: ms(45), lasts: true });
});

test('what is on no node is seen by job only, as a thin line', () => {
  const spans = [span('j1', 0, 10, 500), span('j1', 10, 20, 0, { node: undefined, state: 'paused' })];
  expect(rowsOf(spans, 'nodes', capacity, ms(60)).flatMap((row) => row.bars)).toHaveLength(1);
  const [row] = rowsOf(spans, 'jobs', capacity, ms(60));
  expect(row!.whole).toBe(1000);
  expect(row!.bars[1]!.thickness).toBeLessThan(200);
});

test('what is in the background is slim, and changes its thickness with its tier', () => {
  const [row] = rowsOf([span('j1', 0, 10, 900, { tier: 'background' }), span('j1', 10, 20, 900)], 'nodes', capacity, ms(60));
  expect(row!.bars.map((bar) => [bar.offset, bar.thickness])).toEqual([
    [0, 400],
    [0, 900],
  ]);
});

test('what is in the background is no thicker than its share', () => {
  const spans = [span('j1', 0, 10, 50, { tier: 'background' }), span('j1', 0, 10, 50, { task: 1 })];
  expect(rowsOf(spans, 'nodes', capacity, ms(60))[0]!.bars.map((bar) => bar.thickness)).toEqual([50, 50]);
  expect(rowsOf(spans, 'jobs', capacity, ms(60))[0]!.bars.map((bar) => bar.thickness)).toEqual([50, 50]);
});

test('however many are in the background of a full node, its row stays as high as its CPU and a little more', () => {
  const many = Array.from({ length: 100 }, (_, i) => span(`j${i + 2}`, i % 50, i % 7 ? 50 + (i % 5) : undefined, 900, { tier: 'background' }));
  const later = span('j999', 56, 57, 900, { tier: 'background', node: 'n2' });
  const rows = rowsOf([span('j1', 0, undefined, 2000), ...many, later], 'nodes', capacity, ms(60));
  expect(rows[0]!.whole).toBeLessThanOrEqual(1.4 * 2000);
  expect(rows[0]!.bars.every((bar) => bar.thickness > 0)).toBe(true);
  expect(rows[1]!.bars[0]!.thickness).toBe(200);
});

test('of thousands of tasks of a job, each has its place and no more of the row than is its own, however little it gets', () => {
  const many = 10_000;
  const spans = Array.from({ length: many }, (_, task) => span('j1', task % 7, 10 + (task % 11), 300, { task }));
  const less = Array.from({ length: many }, (_, task) => span('j1', 30, 40, task % 3, { task }));
  const paused = Array.from({ length: many }, (_, task) => span('j1', 40, undefined, 0, { task, node: undefined, state: 'paused' }));
  const [row] = rowsOf([...spans, ...less, ...paused], 'jobs', capacity, ms(60));
  expect(row!.whole).toBe(1000 * many);
  expect(new Set(row!.bars.slice(0, many).map((bar) => bar.offset)).size).toBe(many);
  expect(row!.bars.slice(0, many).reduce((most, bar) => Math.max(most, bar.offset), 0)).toBe(300 * (many - 1));
});

test('what is pointed at is found', () => {
  const [row] = rowsOf([span('j1', 0, 30, 500), span('j2', 10, 50, 700)], 'nodes', capacity, ms(60));
  expect(barAt(row!, ms(20), 600)?.span.job).toBe('j2');
  expect(barAt(row!, ms(20), 100)?.span.job).toBe('j1');
  expect(barAt(row!, ms(5), 600)).toBeUndefined();
});

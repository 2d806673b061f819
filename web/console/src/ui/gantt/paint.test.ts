import { expect, test } from 'vitest';
import type { Span } from '../../api/spans';
import { rowsOf } from './bars';
import { inks, paint, type Layout } from './paint';

const minute = 60_000;
const layout: Layout = { width: 1000, height: 560, rowHeight: 28, top: 0, range: { from: 0, to: 60 * minute } };

/**
 * Returns rows of the given number of nodes, each with the given number of tasks that run for the given time, one after
 * the other.
 */
function rows(nodes: number, tasks: number, state: Span['state'], minutes: number) {
  const spans = Array.from({ length: nodes * tasks }, (_, i): Span => {
    const from = Math.floor(i / nodes) * minutes * minute;
    return { job: `j${i}`, task: 0, run: 1, node: `n${i % nodes}`, state, shareMillicores: 500, from: new Date(from).toISOString(), to: new Date(from + minutes * minute).toISOString(), began: 'task_started' };
  });
  return rowsOf(spans, 'nodes', new Map(), 60 * minute);
}

/** Counts the calls of each of a canvas' functions. */
function calls(of: Parameters<typeof rows>) {
  const counts: Record<string, number> = {};
  const context = new Proxy({}, { get: (_, name) => () => void (counts[String(name)] = (counts[String(name)] ?? 0) + 1), set: () => true });
  paint(context as CanvasRenderingContext2D, rows(...of), layout, [minute], undefined, inks.light);
  return counts;
}

test('a bar is one rectangle, and its stripes are one stroke, however long it is', () => {
  expect(calls([20, 6, 'running', 10])).toEqual({ clearRect: 1, fillRect: 20 + 1 + 120, strokeText: 120, fillText: 120 });
  expect(calls([20, 6, 'moving', 10]).stroke).toBe(120);
  expect(calls([20, 1, 'moving', 60]).stroke).toBe(20);
});

/** Returns the words on bars of one job with the given share of a node, the name and the length in minutes. */
function words(share: number, name: string | undefined, minutes: number) {
  const written: string[] = [];
  const context = new Proxy({}, { get: (_, call) => (text: string) => void (call === 'fillText' && written.push(text)), set: () => true });
  const span: Span = { job: 'j1', name, task: 0, run: 1, node: 'n1', state: 'running', shareMillicores: share, from: new Date(0).toISOString(), to: new Date(minutes * minute).toISOString(), began: 'task_started' };
  paint(context as CanvasRenderingContext2D, rowsOf([span], 'nodes', new Map([['n1', 1000]]), 60 * minute), layout, [], undefined, inks.light);
  return written;
}

test('a bar bears the job and its name, as far as there is room', () => {
  expect(words(1000, 'render', 30)).toEqual(['j1 render']);
  expect(words(1000, undefined, 30)).toEqual(['j1']);
  expect(words(1000, 'render', 3)).toEqual(['j1']);
  expect(words(1000, 'render', 1)).toEqual([]);
  expect(words(100, 'render', 30)).toEqual([]);
});

test('what is not in sight is not drawn', () => {
  expect(calls([20, 600, 'running', 10]).fillRect).toBe(20 + 1 + 20 * 7); // the seventh mark begins at the right edge
});

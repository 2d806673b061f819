import { expect, test } from 'vitest';
import type { SimulationRun } from '../../api/simulations';
import { aligned, lasts, simulatedRows } from './simulated';

const run = (stepSeconds: number, utilization: number[]): SimulationRun => ({
  policy: 'FCFS', jobs: 1, skipped: [], measures: [], stretches: [],
  course: { stepSeconds, yieldLeast: [], yieldMean: [], utilization, jobsHolding: [], jobsWaiting: [] },
  spans: [{ job: 4, fromSeconds: 10, toSeconds: 70, nodes: [0, 1, 1], share: 0.25, yield: 0.5, paying: true }],
  complete: true,
});

test('each task of a span is a bar on its node, as thick as its part of the node', () => {
  const rows = simulatedRows({ nodes: ['n1', 'n2', 'n3'], runs: [] }, run(60, []), 'nodes');
  expect(rows.map((row) => [row.id, row.bars.map((bar) => bar.offset)])).toEqual([
    ['n1', [0]],
    ['n2', [0, 250]],
    ['n3', []],
  ]);
  expect(rows[0]!.bars[0]).toMatchObject({ from: 10_000, to: 70_000, thickness: 250, span: { job: 'j4', state: 'moving', needMillicores: 500 } });
  expect(lasts(run(60, []))).toBe(70_000);
});

test('courses with different steps share the coarser one', () => {
  const runs = [run(60, [1, 2, 3, 4]), run(120, [5, 6, 7])];
  expect(aligned(runs, (it) => it.course.utilization)).toEqual({ x: [0, 120, 240], values: [[1, 3, null], [5, 6, 7]] });
});

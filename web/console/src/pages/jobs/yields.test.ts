import { expect, test } from 'vitest';
import type { Schemas } from '../../api/client';
import type { Span } from '../../api/spans';
import { golden } from '../../test/answers';
import { yieldsOf } from './yields';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const span = (task: number | undefined, state: string, share: number, from: number, to?: number): Span => ({
  job: 'j1', task, state: state as Span['state'], shareMillicores: share, needMillicores: 1000, from: at(from), to: to === undefined ? undefined : at(to), began: 'x',
});
const written = (spans: Span[], tasks: number, since = 0, until = 100) =>
  yieldsOf(spans, tasks, 0, since, until).map((point) => `${point.at}:${point.value}`).join(' ');

test('a move does not interrupt, and every change of the share shows', () => {
  const { spans } = golden<Schemas['Timeline']>('timeline.json');
  const noon = Date.parse('2026-01-01T12:00:00Z') / 1000;
  const points = yieldsOf(spans, 1, noon, 0, noon + 430);
  expect(points.map((point) => [point.at - noon, point.value])).toEqual([[0, 0], [60, 1], [240, 0.5], [360, 0.5], [370, 0.5], [430, 0.5]]);
});

test('the task that gets least tells, and one that stands still stops all', () => {
  expect(written([span(0, 'running', 800, 10), span(1, 'starting', 500, 10, 20), span(1, 'running', 500, 20, 60), span(1, 'frozen', 500, 60)], 2)).toBe(
    '0:0 10:0 20:0.5 60:0 100:0',
  );
});

test('a task that has ended is not waited for, one that is lost is', () => {
  expect(written([span(0, 'running', 500, 10, 40), span(1, 'running', 400, 10, 30), span(1, 'running', 400, 35)], 2)).toBe('0:0 10:0.4 30:0 35:0.4 40:0.4 100:0.4');
});

test('while the job as a whole waits its tasks tell what it gets', () => {
  expect(written([span(undefined, 'waiting', 0, 0, 50), span(0, 'running', 500, 20, 50)], 1)).toBe('0:0 20:0.5 50:0 100:0');
});

test('what is no longer kept is not known', () => {
  expect(written([span(0, 'running', 500, 70)], 1, 60)).toBe('0:null 70:0.5 100:0.5');
});

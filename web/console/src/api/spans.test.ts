import { expect, test, vi } from 'vitest';
import { QueryClient } from '@tanstack/react-query';
import { answer } from '../test/answers';
import { mostSpans, renewed, type Span } from './spans';
import { timelineQuery } from './timeline';

const minute = 60_000;
const at = (minutes: number) => new Date(minutes * minute).toISOString();
const span = (job: string, from: number, to?: number): Span => ({
  job, task: 0, run: 1, node: 'n1', state: 'running', shareMillicores: 500, needMillicores: 1000, from: at(from), to: to === undefined ? undefined : at(to), began: 'task_started',
});
const part = (minutes: number, ...spans: Span[]) => ({ spans, at: minutes * minute, since: 0, cut: false });
const told = (spans: Span[]) => spans.map((it) => `${it.job} ${Date.parse(it.from) / minute}–${it.to ? Date.parse(it.to) / minute : ''}`);

test('what lasted has ended or lasts still, and what ended long ago is left out', () => {
  const known = part(100, span('j1', 50), span('j2', 60), span('j3', 80, 99), span('j4', 10, 30));
  const fresh = part(101, span('j1', 50), span('j5', 101), span('j2', 60, 101), span('j3', 80, 99));
  expect(told(renewed(known, fresh, 41 * minute).spans)).toEqual(['j1 50–', 'j5 101–', 'j2 60–101', 'j3 80–99']);
});

test('there are never more spans than can be told apart, and what is left out ended longest ago', () => {
  const known = part(100, ...Array.from({ length: mostSpans }, (_, i) => span(`j${i + 1}`, 50, 90)));
  const next = renewed(known, part(101, span('j0', 100)), 0);
  expect(next).toMatchObject({ cut: true });
  expect(next.spans).toHaveLength(mostSpans);
  expect(next.spans[0]!.job).toBe('j0');
});

test('the last while is read whole once, and then only what came since', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(1000 * minute);
  const pages = [
    { spans: [span('j1', 980), span('j2', 950, 990)], at: at(1000), since: at(0) },
    { spans: [span('j1', 980)], at: at(1001), since: at(0) },
    { spans: [span('j1', 980)], at: at(1002), since: at(1001.5) },
    { spans: [], at: at(1003), since: at(1001.5) },
  ];
  const asked = answer({ 'GET /v1/timeline': () => pages.shift() });
  const query = timelineQuery({ last: 60 * minute }, { job: '', node: '' });
  const client = new QueryClient();
  const read = async () => told((await client.fetchQuery({ ...query, staleTime: 0 })).spans);
  expect(await read()).toEqual(['j1 980–', 'j2 950–990']);
  expect(await read()).toEqual(['j1 980–', 'j2 950–990']);
  expect(asked.map((it) => Date.parse(it.query.get('from')!) / minute)).toEqual([940, 999]);
  // A manager that began to keep events only later knows less. Everything that it knows is read.
  expect(await read()).toEqual([]);
  expect(Date.parse(asked.at(-1)!.query.get('from')!) / minute).toBe(940);
});

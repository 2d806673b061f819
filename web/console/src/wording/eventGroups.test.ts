import { expect, test } from 'vitest';
import type { Event } from '../api/client';
import { groupSentence, groupsOf } from './eventGroups';

const at = (second: number) => new Date(Date.parse('2026-01-01T12:00:00Z') + second * 1000).toISOString();
const event = (revision: number, second: number, more: Partial<Event> = {}): Event => ({ id: `${revision}.0`, revision, at: at(second), kind: 'job_submitted', job: `j${revision}`, actor: 'admin', ...more });
const told = (events: Event[]) => groupsOf(events).map((group) => (group.events.length > 1 ? groupSentence(group) : `${group.event.kind} ${group.event.job}`));

test('many of a kind by one person in one minute are one line, whatever happened in between', () => {
  const submitted = Array.from({ length: 500 }, (_, i) => event(1000 - 2 * i, 59 - i / 10));
  const between = event(999, 58, { kind: 'node_silent', job: undefined, node: 'n1', actor: 'system' });
  expect(told([submitted[0]!, between, ...submitted.slice(1)])).toEqual(['500 jobs were submitted, by admin', 'node_silent undefined']);
});

test('another person or another minute is another line', () => {
  const of = (first: number, second: number, actor: string) => [3, 2, 1, 0].map((i) => event(first + i, second, { actor }));
  expect(told([...of(30, 61, 'admin'), ...of(20, 59, 'admin'), ...of(10, 59, 'alice')])).toEqual(['4 jobs were submitted, by admin', '4 jobs were submitted, by admin', '4 jobs were submitted, by alice']);
});

test('few events, many of one task, and bad news stay single', () => {
  const few = [3, 2, 1].map((i) => event(i, 0));
  const one = [9, 8, 7, 6, 5].map((i) => event(i, 0, { kind: 'task_resized', job: 'j1', task: 0, actor: 'system' }));
  const bad = [15, 14, 13, 12].map((i) => event(i, 0, { kind: 'task_lost', task: 0, actor: 'system' }));
  expect(groupsOf([...bad, ...one, ...few]).map((group) => group.events.length)).toEqual(Array(12).fill(1));
});

test('a group keeps its name while it grows', () => {
  const four = [4, 3, 2, 1].map((i) => event(i, i));
  expect(groupsOf([event(5, 5), ...four])[0]!.id).toBe(groupsOf(four)[0]!.id);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Plan } from '../api/client';
import { golden } from '../test/answers';
import { problem } from '../test/render';
import { bytes, charged, count, cpu, cpuOf, duration, percent, plural, priority, yieldText } from './amounts';
import { dateTime, moment } from './clock';
import { eventKinds, eventSentence } from './events';
import { planSentences } from './plan';
import { problemTitle } from './problems';

test('amounts have units', () => {
  expect([0, 5, 350, 1000, 1500, 12345, 123456, 9_000_000, 13_423_000].map(cpu)).toEqual(['0 cores', '5m', '350m', '1 core', '1.5 cores', '12.3 cores', '123 cores', '9,000 cores', '13,423 cores']);
  expect([[0, 180], [180, 180], [0, 1200], [598, 1200], [9, 4000], [1500, 1000]].map(([part, whole]) => cpuOf(part!, whole!))).toEqual(['0m of 180m', '180m of 180m', '0 of 1.2 cores', '0.6 of 1.2 cores', '0.009 of 4 cores', '1.5 of 1 core']);
  expect([0, 1023, 100663296, 1.5 * 2 ** 30, 1000 * 2 ** 20].map(bytes)).toEqual(['0 B', '1,023 B', '96 MiB', '1.5 GiB', '1,000 MiB']);
  expect([0, 0.4, 45, 60, 3700, 90061].map(duration)).toEqual(['0 s', '0.4 s', '45 s', '1 min', '1 h 1 min', '1 d 1 h']);
  expect([percent(1, 3), percent(1, 0), yieldText(undefined), yieldText(0.5), priority(undefined)]).toEqual(['33 %', '–', '–', '0.50', '∞']);
  expect([plural(0, 'node'), plural(1, 'node'), plural(10000, 'job')]).toEqual(['no nodes', '1 node', '10,000 jobs']);
});

test('amounts are written as the server writes them', () => {
  const same = golden<{ bytes: Record<string, string>; seconds: Record<string, string> }>('amounts.json');
  const written = (amounts: Record<string, string>, words: (amount: number) => string) => Object.fromEntries(Object.keys(amounts).map((amount) => [amount, words(Number(amount))]));
  expect(written(same.bytes, bytes)).toEqual(same.bytes);
  expect(written(same.seconds, duration)).toEqual(same.seconds);
});

test('a time may be told by the clock or by how far away it is', () => {
  const now = new Date(2026, 10, 28, 17, 4, 30);
  const shown = (text: string) => new Date(moment(text, now)).toLocaleString('sv-SE');
  expect(['18:00', '09:30', '17:04', '10m', '1h30m', '1.5h', '90s', ' 0m '].map(shown)).toEqual([
    '2026-11-28 18:00:00', '2026-11-29 09:30:00', '2026-11-29 17:04:00', '2026-11-28 17:15:00', '2026-11-28 18:35:00', '2026-11-28 18:35:00',
    '2026-11-28 17:06:00', '2026-11-28 17:05:00',
  ]);
  expect(moment('10m', new Date(Date.UTC(2026, 0, 1)))).toBe('2026-01-01T00:10:00Z');
  const others = ['', '2026-11-26T14:00:00Z', 'soon', '25:00', '12:60', '10', '-10m', '9'.repeat(30) + 'h'];
  expect(others.map((text) => moment(text, now))).toEqual(others);
});

test('a plan says how many jobs would have no share, because the least yield is then 0', () => {
  const plan = golden<Plan>('plan.json');
  const after = { ...plan.yields.after!, least: 0, without: 2 };
  expect(planSentences({ ...plan, yieldBefore: 0.5, yieldAfter: 0.4, yields: { ...plan.yields, after } }).join(' ')).toContain('The least yield would be 0: 2 jobs without a share. That of the placed jobs would go from 0.50 to 0.40.');
});

test('a plan says which jobs would be in the background, where they have no yield', () => {
  const plan = golden<Plan>('plan.json');
  const fresh = { job: 'j9', new: true, nodesBefore: [], nodesAfter: ['n1'], tierAfter: 'background' as const };
  const changed = { job: 'j2', yieldBefore: 0.5, nodesBefore: ['n1'], nodesAfter: ['n1'], tierBefore: 'foreground' as const, tierAfter: 'background' as const };
  const back = { job: 'j3', yieldAfter: 1, nodesBefore: ['n2'], nodesAfter: ['n2'], tierBefore: 'background' as const, tierAfter: 'foreground' as const };
  expect(planSentences({ ...plan, jobs: [fresh, changed, back] }).slice(0, 3)).toEqual([
    'It would start now in the background, on n1.', 'j2 would go on in the background.', 'j3 would go on in the foreground.',
  ]);
});

test('a plan says that nothing would run only if no job of any class would', () => {
  const plan = golden<Plan>('plan.json');
  const none = { ...plan, yieldBefore: undefined, yieldAfter: undefined, yields: {} };
  expect(planSentences({ ...none, runningAfter: 0 })).toContain('Nothing would run.');
  expect(planSentences({ ...none, runningAfter: 2 })).toContain('No standard job would run, only 2 jobs of other classes.');
});

test('what is charged for a VM beyond its memory is not lost in rounding', () => {
  expect(charged(4 * 2 ** 30, 4 * 2 ** 30 + 40 * 2 ** 20)).toBe('4 GiB, charged 40 MiB more');
  expect(charged(4 * 2 ** 30, 4 * 2 ** 30)).toBe('4 GiB, charged as much');
});

test('numbers have thousands apart', () => {
  expect([7, 1000, 13423, 1234567.25].map(count)).toEqual(['7', '1,000', '13,423', '1,234,567.25']);
});

test('a plan says how many moves of each kind it takes, shares last, and how much memory', () => {
  const plan = golden<Plan>('plan.json');
  const cost = (moves: Record<string, number>, amount: number) => planSentences({ ...plan, cost: { moves, bytes: amount } });
  expect(cost({ migrate: 1, pause: 2, resize: 5673, start: 0 }, 36 * 2 ** 30)).toContain('The plan takes 1 migration, 2 pauses and 5,673 resizes; 36 GiB of memory would be saved, restored or sent to another node.');
  expect(cost({ resize: 1 }, 0)).toContain('The plan takes 1 resize; no memory would be moved.');
  expect(cost({}, 0).join(' ')).not.toContain('The plan takes');
});

test('times have a zone', () => {
  const { jobs: [job], ...plan } = golden<Plan>('plan.json');
  const promise: NonNullable<Plan['jobs'][number]['promise']> = { state: 'promised', from: '2026-01-01T12:00:00Z', until: '2026-01-01T14:00:00Z', due: '2026-01-01T11:59:00Z', nodes: ['n1'], indexes: [0] };
  expect(planSentences({ ...plan, jobs: [{ ...job!, new: true, promise }] }).join(' ')).toMatch(/promised all of its CPU from 2026-01-0[12] \d\d:\d\d:00 \S+ to /);
  expect(dateTime(new Date('2026-01-01T12:00:00Z'))).toMatch(/^2026-01-0[12] \d\d:\d\d:00 \S+$/);
});

test('every kind of event is a sentence', () => {
  for (const kind of eventKinds) {
    const text = eventSentence({ id: '1.0', revision: 1, at: '2026-01-01T12:00:00Z', kind, job: 'j1', task: 0, node: 'n2', from: 'n1', shareMillicores: 400 });
    expect(text).toMatch(/^[a-z]/);
    expect(text).not.toMatch(/undefined|_/);
  }
});

test('who did something is named once', () => {
  const offered = eventSentence({ id: '1.0', revision: 1, at: '2026-01-01T12:00:00Z', kind: 'offer_made', actor: 'alice', text: 'offer o1' });
  expect(offered).toBe('an alternative is offered and held for alice: offer o1');
  const ending = (actor: string, text: string) => eventSentence({ id: '1.0', revision: 1, at: '2026-01-01T12:00:00Z', kind: 'job_ending', job: 'j1', actor, text });
  expect(ending('ann', 'cancelled: too slow')).toBe('j1 is ending, by ann: cancelled: too slow');
  expect(ending('ann', 'cancelled: cancelled by ann')).toBe('j1 is ending: cancelled: cancelled by ann');
});

test('every problem of the API has a title of its own, in words of people', () => {
  const codes = [...readFileSync('../../docs/api.md', 'utf8').matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => problemTitle(problem(400, code, '')) === 'It was refused')).toEqual([]);
});

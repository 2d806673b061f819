import { expect, test } from 'vitest';
import { bytes, cpu, duration, percent, plural, priority, yieldText } from './amounts';
import { dateTime } from './clock';
import { eventKinds, eventSentence } from './events';

test('amounts have units', () => {
  expect([0, 5, 350, 1000, 1500, 12345, 123456, 9_000_000, 13_423_000].map(cpu)).toEqual(['0 cores', '0.005 cores', '0.35 cores', '1 core', '1.5 cores', '12.3 cores', '123 cores', '9,000 cores', '13,423 cores']);
  expect([0, 1023, 100663296, 1.5 * 2 ** 30].map(bytes)).toEqual(['0 B', '1023 B', '96 MiB', '1.5 GiB']);
  expect([0, 0.4, 45, 60, 3700, 90061].map(duration)).toEqual(['0 s', '0.4 s', '45 s', '1 min', '1 h 1 min', '1 d 1 h']);
  expect([percent(1, 3), percent(1, 0), yieldText(undefined), yieldText(0.5), priority(undefined)]).toEqual(['33 %', '–', '–', '0.50', '∞']);
  expect([plural(0, 'node'), plural(1, 'node'), plural(10000, 'job')]).toEqual(['no nodes', '1 node', '10,000 jobs']);
});

test('times have a zone', () => {
  expect(dateTime(new Date('2026-01-01T12:00:00Z'))).toMatch(/^2026-01-0[12] \d\d:\d\d:00 \S+$/);
});

test('every kind of event is a sentence', () => {
  for (const kind of eventKinds) {
    const text = eventSentence({ id: '1.0', revision: 1, at: '2026-01-01T12:00:00Z', kind, job: 'j1', task: 0, node: 'n2', from: 'n1', shareMillicores: 400 });
    expect(text).toMatch(/^[a-z]/);
    expect(text).not.toMatch(/undefined|_/);
  }
});

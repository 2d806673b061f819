import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../api/client';
import { answer, Refusal, type Asked } from '../test/answers';
import { problem } from '../test/render';
import { EventStream } from './stream';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hello = 'id: 7.0\nevent: hello\ndata: {"replica":2,"revision":7}\n\n';
const submitted = 'id: 8.0\nevent: job_submitted\ndata: {"id":"8.0","kind":"job_submitted","revision":8,"at":"2026-01-01T12:00:00Z","job":"j1"}\n\n';

const body = (...parts: string[]) => new Response(parts.join(''), { headers: { 'content-type': 'text/event-stream' } });

function follow(...answers: unknown[]) {
  const begins: string[] = [];
  const stream = new EventStream((missed) => begins.push(missed ? 'missed' : 'resumed'));
  const events: Event[] = [];
  stream.listen((event) => events.push(event));
  const asked: Asked[] = answer({ 'GET /v1/events': () => answers.shift() ?? new Promise(() => undefined) });
  stream.start();
  return { stream, begins, events, asked };
}

test('events are handed on and a broken connection resumes after the last of them', async () => {
  const { stream, begins, events, asked } = follow(body(hello, submitted), body(hello));
  await vi.advanceTimersByTimeAsync(100);
  expect(events.map((event) => event.kind)).toEqual(['job_submitted']);
  expect(stream.connection).toMatchObject({ state: 'lost' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked[1]!.headers.get('last-event-id')).toBe('8.0');
  expect(begins).toEqual(['missed', 'resumed']);
  stream.stop();
});

test('what is too old to resume is read anew', async () => {
  const { stream, begins, asked } = follow(body(hello), new Refusal(problem(410, 'resume_too_old', 'events are gone')), body(hello));
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.slice(0, 3).map((it) => it.headers.get('last-event-id'))).toEqual([null, '7.0', null]);
  expect(begins).toEqual(['missed', 'missed']);
  stream.stop();
});

test('silence for longer than two heartbeats counts as a lost connection', async () => {
  const { stream } = follow(new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode(hello)) })));
  await vi.advanceTimersByTimeAsync(100);
  expect(stream.connection).toEqual({ state: 'live', replica: 2 });
  await vi.advanceTimersByTimeAsync(40_000);
  expect(stream.connection).toMatchObject({ state: 'lost' });
  stream.stop();
});

test('an expired session is not tried again', async () => {
  const { stream, asked } = follow(new Refusal(problem(401, 'unauthorized', 'the session has expired')));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
  expect(stream.connection).toMatchObject({ state: 'lost', problem: { code: 'unauthorized' } });
});

test('repeated failures are tried more and more rarely', async () => {
  const { stream, asked } = follow(...Array.from({ length: 100 }, () => new Refusal(problem(503, 'no_leader', 'no manager leads now'))));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBeLessThan(15);
  stream.stop();
});

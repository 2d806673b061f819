import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, Refusal, type Asked } from '../../test/answers';
import { problem } from '../../test/render';
import { useLog } from './useLog';

interface Run {
  number: number;
  over: boolean;
}

let hidden = false;
let streams: ReadableStreamDefaultController<Uint8Array>[];
let refusals: Refusal[];
let asked: Asked[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  hidden = false;
  streams = [];
  refusals = [];
  asked = answer({ 'GET /v1/jobs/j1/logs': () => refusals.shift() ?? new Response(new ReadableStream({ start: (to) => void streams.push(to) })) });
});

afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const follow = (run: Run = { number: 1, over: false }) =>
  renderHook(({ number, over }: Run) => useLog({ job: 'j1', task: 0, run: number, stream: 'all' }, over), { initialProps: run });
const bytes = (text: string) => new TextEncoder().encode(text);
const offsets = () => asked.map((it) => it.query.get('offset'));

async function write(piece: Uint8Array) {
  streams.at(-1)!.enqueue(piece);
  await pass(50);
}

test('a broken log keeps its text and goes on after the last byte, even of half a character', async () => {
  const { result } = follow();
  await pass(10);
  const whole = bytes('größer');
  await write(whole.slice(0, 3));
  streams[0]!.error(new TypeError('network error'));
  await pass(100);
  expect(result.current).toMatchObject({ text: 'gr', state: 'broken' });
  await pass(1000);
  expect(offsets()).toEqual(['0', '3']);
  expect(result.current).toMatchObject({ text: 'gr', state: 'reading', error: undefined });
  await write(whole.slice(3));
  expect(result.current.text).toBe('größer');
});

test('an end is the end only when the run is over', async () => {
  const { result, rerender } = follow();
  await pass(10);
  await write(bytes('one\n'));
  streams[0]!.close();
  await pass(2000);
  expect(offsets()).toEqual(['0', '4']);
  expect(result.current.state).toBe('reading');
  rerender({ number: 1, over: true });
  await write(bytes('two\n'));
  streams[1]!.close();
  await pass(100);
  expect(result.current).toMatchObject({ text: 'one\ntwo\n', state: 'ended', error: undefined });
  await pass(60_000);
  expect(asked).toHaveLength(2);
});

test('what is refused is not tried again, what no manager answers is', async () => {
  refusals = [new Refusal(problem(503, 'no_leader', 'no manager leads')), new Refusal(problem(403, 'forbidden', 'not yours'))];
  const { result } = follow();
  await pass(100);
  expect(result.current).toMatchObject({ state: 'broken', error: { problem: { code: 'no_leader' } } });
  await pass(60_000);
  expect(asked).toHaveLength(2);
  expect(result.current).toMatchObject({ state: 'ended', error: { problem: { code: 'forbidden' } } });
});

test('nothing is followed while nobody looks, and then it goes on', async () => {
  const { result } = follow();
  await pass(10);
  await write(bytes('one\n'));
  hidden = true;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(60_000);
  expect(asked).toHaveLength(1);
  hidden = false;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(10);
  await write(bytes('two\n'));
  expect(offsets()).toEqual(['0', '4']);
  expect(result.current.text).toBe('one\ntwo\n');
});

test('another run begins anew', async () => {
  const { result, rerender } = follow();
  await pass(10);
  await write(bytes('one\n'));
  rerender({ number: 2, over: false });
  await pass(10);
  await write(bytes('again\n'));
  expect(asked.at(-1)!.query.get('run')).toBe('2');
  expect(result.current.text).toBe('again\n');
});

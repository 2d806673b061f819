import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Event } from '../api/client';
import { answer, type Asked } from '../test/answers';
import { SharedStream } from './shared';

/** The browser's only lock. One tab at a time holds it; others wait in a queue or steal it. */
class Locks {
  private readonly waiting: (() => void)[] = [];
  private rob: (() => void) | undefined; // of the tab that holds the lock

  request(_: string, { signal, steal }: { signal?: AbortSignal; steal?: boolean }, hold: () => Promise<unknown> | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const take = () => {
        const rob = () => reject(new DOMException('the lock was stolen', 'AbortError'));
        this.rob = rob;
        void Promise.resolve(hold()).then((value) => {
          resolve(value);
          if (this.rob === rob) this.next();
        });
      };
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      if (steal) this.rob?.();
      if (steal || !this.rob) take();
      else this.waiting.push(take);
    });
  }

  private next() {
    this.rob = undefined;
    this.waiting.shift()?.();
  }
}

/** Channels between the tabs of one test, with the delay of a real channel. */
class Channel {
  static open = new Set<Channel>();
  onmessage: ((message: { data: unknown }) => void) | null = null;

  constructor() {
    Channel.open.add(this);
  }

  postMessage(data: unknown) {
    if (!Channel.open.has(this)) return;
    for (const other of Channel.open) if (other !== this) queueMicrotask(() => other.onmessage?.({ data: structuredClone(data) }));
  }

  close() {
    Channel.open.delete(this);
    this.onmessage = null;
  }
}

let streams: ReadableStreamDefaultController<Uint8Array>[];
let asked: Asked[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new Locks() });
  Channel.open.clear();
  streams = [];
  asked = answer({ 'GET /v1/events': () => new Response(new ReadableStream({ start: (to) => void streams.push(to) }), { headers: { 'content-type': 'text/event-stream' } }) });
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  vi.useRealTimers();
});

const say = (text: string) => streams.at(-1)!.enqueue(new TextEncoder().encode(text));
const hello = (id = '7.0') => say(`id: ${id}\nevent: hello\ndata: {"replica":2,"revision":7}\n\n`);
const event = (id: string) => say(`id: ${id}\nevent: job_submitted\ndata: {"id":"${id}","kind":"job_submitted","revision":8,"at":"2026-01-01T12:00:00Z","job":"j1"}\n\n`);
const soon = () => vi.advanceTimersByTimeAsync(50);

function tab() {
  const begins: string[] = [];
  const heard: string[] = [];
  const stream = new SharedStream((missed) => begins.push(missed ? 'missed' : 'resumed'));
  stream.listen((it: Event) => heard.push(it.id));
  stream.start();
  return { stream, begins, heard };
}

test('eight tabs open one connection, and all hear every event', async () => {
  const tabs = Array.from({ length: 8 }, tab);
  await soon();
  hello();
  event('8.0');
  await soon();
  expect(asked).toHaveLength(1);
  for (const { stream, heard, begins } of tabs) {
    expect(stream.connection).toEqual({ state: 'live', replica: 2 });
    expect(heard).toEqual(['8.0']);
    expect(begins).toContain('missed');
  }
  for (const { stream } of tabs) stream.stop();
});

test('when the tab that holds the connection goes, another resumes after the last event', async () => {
  const [first, second] = [tab(), tab()];
  await soon();
  hello();
  event('8.0');
  await soon();
  first.stream.stop();
  await soon();
  expect(asked.map((it) => it.headers.get('last-event-id'))).toEqual([null, '8.0']);
  second.begins.length = 0;
  hello('8.0');
  event('9.0');
  await soon();
  expect(second.heard).toEqual(['8.0', '9.0']);
  expect(second.begins).toEqual(['resumed']);
  expect(first.heard).toEqual(['8.0']);
  second.stream.stop();
});

test('a tab that rested reads everything anew, for it has missed events', async () => {
  const [first, second] = [tab(), tab()];
  await soon();
  hello();
  await soon();
  second.stream.stop();
  expect(second.stream.connection).toEqual({ state: 'resting' });
  event('8.0');
  second.begins.length = 0;
  second.stream.start();
  await soon();
  expect(second.begins).toEqual(['missed']);
  expect(second.stream.connection.state).toBe('live');
  expect(asked).toHaveLength(1);
  first.stream.stop();
  second.stream.stop();
});

test('all tabs know when the connection is lost, and each can ask for it at once', async () => {
  const [first, second] = [tab(), tab()];
  await soon();
  hello();
  await soon();
  streams.at(-1)!.error(new TypeError('network error'));
  await soon();
  expect(second.stream.connection).toMatchObject({ state: 'lost', problem: { code: 'unreachable' } });
  second.stream.start();
  await soon();
  expect(asked).toHaveLength(2);
  hello();
  await soon();
  expect([first, second].map((it) => it.stream.connection.state)).toEqual(['live', 'live']);
  first.stream.stop();
  second.stream.stop();
});

test('a tab that hangs is replaced by one other, which resumes where it was, and wakes as one of many', async () => {
  const hung = tab();
  const [channel] = Channel.open;
  await soon();
  hello();
  const others = Array.from({ length: 3 }, tab);
  await soon();
  event('8.0');
  await soon();
  Channel.open.delete(channel!); // the tab neither receives nor sends anything
  await vi.advanceTimersByTimeAsync(16_000);
  expect(asked.map((it) => it.headers.get('last-event-id'))).toEqual([null, '8.0']);
  hello('8.0');
  Channel.open.add(channel!);
  await soon();
  event('9.0');
  await vi.advanceTimersByTimeAsync(30_000);
  for (const { stream, heard } of [...others, hung]) {
    expect(heard).toEqual(['8.0', '9.0']);
    expect(stream.connection).toEqual({ state: 'live', replica: 2 });
  }
  expect(asked).toHaveLength(2);
  for (const { stream } of [hung, ...others]) stream.stop();
});

test('after minutes of calm a second hang is found as soon as the first', async () => {
  const [hung, other] = [tab(), tab()];
  const [channel] = Channel.open;
  await soon();
  hello();
  await soon();
  Channel.open.delete(channel!);
  await vi.advanceTimersByTimeAsync(16_000);
  Channel.open.add(channel!);
  expect(asked).toHaveLength(2);
  other.stream.stop();
  await soon();
  other.stream.start();
  hello('8.0');
  for (let i = 9; i < 45; i++) {
    await vi.advanceTimersByTimeAsync(10_000);
    event(`${i}.0`);
  }
  expect(asked).toHaveLength(3);
  Channel.open.delete(channel!);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(asked).toHaveLength(4);
  hung.stream.stop();
  other.stream.stop();
});

test('a tab that is only slow keeps the connection once it answers', async () => {
  const [slow, other] = [tab(), tab()];
  const [channel] = Channel.open;
  await soon();
  hello();
  await soon();
  Channel.open.delete(channel!);
  await vi.advanceTimersByTimeAsync(9_000);
  Channel.open.add(channel!);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(asked).toHaveLength(1);
  expect(other.stream.connection.state).toBe('live');
  slow.stream.stop();
  other.stream.stop();
});

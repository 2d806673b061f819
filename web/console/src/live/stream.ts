import type { Event, Schemas } from '../api/client';
import { ProblemError, problemOf, readProblem, type Problem } from '../api/problem';
import { messages, type Message } from './messages';

/** Where the stream stands. `resting` is while nobody looks at the tab. */
export type Connection = { state: 'connecting' } | { state: 'live'; replica: number } | { state: 'lost'; problem: Problem } | { state: 'resting' };

type EventListener = (event: Event) => void;

const silence = 40_000; // a heartbeat comes every 15 s
const patience = { first: 500, most: 10_000 };

/**
 * EventStream follows the cluster's events as long as it is started: it resumes after the last one it saw, waits longer after
 * each failure, and calls onGap when events were missed, so that everything must be read anew.
 */
export class EventStream {
  connection: Connection = { state: 'connecting' };
  private last = '';
  private failures = 0;
  private attempt = new AbortController();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private readonly watchers = new Set<() => void>();
  private readonly listeners = new Set<EventListener>();

  constructor(private readonly onGap: () => void) {}

  /** Calls back at every change of connection; for useSyncExternalStore. */
  readonly watch = (callback: () => void) => {
    this.watchers.add(callback);
    return () => void this.watchers.delete(callback);
  };

  /** Calls back with every event. */
  readonly listen = (listener: EventListener) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly start = () => {
    this.stop({ state: 'connecting' });
    void this.follow(this.attempt.signal);
  };

  readonly stop = (connection: Connection = { state: 'resting' }) => {
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    this.attempt.abort();
    this.attempt = new AbortController();
    this.become(connection);
  };

  private become(connection: Connection) {
    this.connection = connection;
    for (const callback of this.watchers) callback();
  }

  private async follow(signal: AbortSignal) {
    try {
      const response = await this.open(signal);
      for await (const message of messages(response.body!)) {
        if (signal.aborted) return;
        this.take(message);
      }
      throw new Error('the connection has ended');
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  private async open(signal: AbortSignal): Promise<Response> {
    this.expect();
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (this.last) headers['last-event-id'] = this.last;
    const response = await fetch('/v1/events', { headers, signal, credentials: 'same-origin', cache: 'no-store' });
    if (!response.ok) throw new ProblemError(await readProblem(response));
    return response;
  }

  /** Nothing for so long means that the connection is dead, though nobody said so. */
  private expect() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.attempt.abort();
      this.attempt = new AbortController();
      this.fail(new Error('nothing was heard for 40 s'));
    }, silence);
  }

  private take(message: Message) {
    this.expect();
    if (message.kind === 'hello') {
      const hello = JSON.parse(message.data) as Schemas['Hello'];
      if (this.last === '') this.onGap();
      this.failures = 0;
      this.become({ state: 'live', replica: hello.replica });
    }
    if (message.id) this.last = message.id;
    if (message.kind === 'hello' || message.kind === 'heartbeat') return;
    const event = JSON.parse(message.data) as Event;
    for (const listener of this.listeners) listener(event);
  }

  private fail(error: unknown) {
    clearTimeout(this.watchdog);
    const problem = problemOf(error);
    if (problem.code === 'resume_too_old') this.last = '';
    this.become({ state: 'lost', problem });
    if (problem.code === 'unauthorized') return;
    const wait = Math.min(patience.most, patience.first * 2 ** this.failures++);
    this.retry = setTimeout(this.start, wait * (0.75 + Math.random() / 2));
  }
}

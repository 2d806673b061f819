import { unanswered, type Event, type Schemas } from '../api/client';
import { ProblemError, readProblem } from '../api/problem';
import { Feed, type Connection, type OnBegin } from './feed';
import { messages, type Message } from './messages';

const silence = 40_000; // a heartbeat comes every 15 s
const patience = { first: 500, most: 10_000 };

/**
 * EventStream follows the cluster's events while it is started. It resumes after the last event that it received, and
 * waits longer after each failure.
 */
export class EventStream extends Feed {
  /** The id after which to resume; empty: from now on. */
  last = '';
  private failures = 0;
  private attempt = new AbortController();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onBegin: OnBegin) {
    super();
  }

  readonly start = () => {
    this.leave({ state: 'connecting' });
    void this.follow(this.attempt.signal);
  };

  readonly stop = () => this.leave({ state: 'resting' });

  private leave(connection: Connection) {
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    this.attempt.abort();
    this.attempt = new AbortController();
    this.become(connection);
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

  /** A silence of this length means that the connection is dead, although no error was reported. */
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
      this.onBegin(this.last === '');
      this.failures = 0;
      this.become({ state: 'live', replica: hello.replica });
    }
    if (message.id) this.last = message.id;
    if (message.kind === 'hello' || message.kind === 'heartbeat') return;
    this.tell(JSON.parse(message.data) as Event);
  }

  private fail(error: unknown) {
    clearTimeout(this.watchdog);
    const { problem } = unanswered(error);
    if (problem.code === 'resume_too_old') this.last = '';
    this.become({ state: 'lost', problem });
    if (problem.code === 'unauthorized') return;
    const wait = Math.min(patience.most, patience.first * 2 ** this.failures++);
    this.retry = setTimeout(this.start, wait * (0.75 + Math.random() / 2));
  }
}

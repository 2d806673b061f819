import type { Event } from '../api/client';
import { Feed, type Connection, type OnBegin } from './feed';
import { EventStream } from './stream';

const name = 'aliquot-events';

/** Word is a message between the tabs of a browser; `since` is when the holder of the stream began to hold it. */
type Word =
  | { kind: 'event'; since: number; event: Event }
  | { kind: 'connection'; since: number; connection: Connection; last: string }
  | { kind: 'begin'; since: number; missed: boolean }
  | { kind: 'pulse'; since: number }
  | { kind: 'how are you' }
  | { kind: 'reconnect' };

const beat = 2_000; // between two pulses
const silence = 10_000; // silence after which the holder of the stream is asked whether it still works
const grace = 3_000; // time for its answer
const calm = 300_000; // time without a theft after which thefts are forgotten; longer than the longest patience

/** Reports whether tabs can share. Browsers allow it only on secure pages and on pages from this machine. */
export const canShare = () => 'locks' in navigator && 'BroadcastChannel' in window;

/**
 * SharedStream is one stream of events for all tabs of a browser, because a browser opens few connections to a manager.
 * The tab that gets the lock holds the stream and passes its events on. When that tab closes or rests, the next one
 * resumes after the last event. When it hangs, another tab steals the lock. Messages of a hung tab that wakes up are
 * older, so they are ignored.
 */
export class SharedStream extends Feed {
  private readonly own: EventStream;
  private channel: BroadcastChannel | undefined;
  private turn = new AbortController();
  private holds = false;
  private since = 0; // of the tab that holds the stream, as far as this tab knows
  private timer: ReturnType<typeof setTimeout> | undefined; // until the next pulse, or until a silence is too long
  private thefts = 0; // thefts by this tab that are not forgotten
  private disturbed = 0; // when this tab last stole the lock or lost it to a thief
  private synchronous = false; // no event was missed since this page's answers were read
  private last = '';

  constructor(private readonly onBegin: OnBegin) {
    super();
    this.own = new EventStream((missed) => this.begin(missed));
    this.own.watch(() => {
      if (this.holds) this.stand();
    });
    this.own.listen((event) => {
      this.say({ kind: 'event', since: this.since, event });
      this.tell(event);
    });
  }

  readonly start = () => {
    if (this.holds) return this.own.start();
    if (this.channel) return this.say({ kind: 'reconnect' });
    this.last = '';
    this.synchronous = false;
    this.become({ state: 'connecting' });
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = (message: MessageEvent<Word>) => this.hear(message.data);
    this.say({ kind: 'how are you' });
    this.queue();
  };

  readonly stop = () => {
    this.turn.abort();
    clearTimeout(this.timer);
    this.channel?.close();
    this.channel = undefined;
    this.become({ state: 'resting' });
  };

  private queue() {
    this.turn = new AbortController();
    const { signal } = this.turn;
    this.mind();
    void this.request({ signal }, signal);
  }

  private async request(how: LockOptions, signal: AbortSignal) {
    try {
      await navigator.locks.request(name, how, () => this.hold(signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!this.holds) throw error;
      this.turn.abort(); // another tab has stolen the lock, because this one hung
      this.disturbed = Date.now();
      this.synchronous = false;
      this.queue();
      this.say({ kind: 'how are you' });
    }
  }

  /**
   * Steals the lock if its holder is silent for too long. The patience grows with each theft until there was calm, so
   * that tabs that cannot hear each other do not steal from each other all day.
   */
  private mind() {
    clearTimeout(this.timer);
    const patience = (silence + Math.random() * beat) * 2 ** this.thefts;
    this.timer = setTimeout(() => {
      this.say({ kind: 'how are you' });
      this.timer = setTimeout(() => this.steal(), grace);
    }, patience);
  }

  private steal() {
    this.thefts = Math.min(this.thefts + 1, 4);
    this.disturbed = Date.now();
    this.turn.abort();
    this.turn = new AbortController();
    void this.request({ steal: true }, this.turn.signal);
  }

  /** Called while this tab holds the lock or hears the holder. */
  private forgive() {
    if (Date.now() - this.disturbed >= calm) this.thefts = 0;
  }

  /** Holds the stream until the signal is aborted. */
  private hold(signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) return undefined;
    this.holds = true;
    this.since = Math.max(Date.now(), this.since + 1);
    this.own.last = this.synchronous ? this.last : '';
    this.own.start();
    this.pulse();
    return new Promise((end) => {
      signal.addEventListener('abort', () => {
        this.holds = false;
        clearTimeout(this.timer);
        this.own.stop();
        end();
      });
    });
  }

  private pulse() {
    clearTimeout(this.timer);
    this.forgive();
    this.say({ kind: 'pulse', since: this.since });
    this.timer = setTimeout(() => this.pulse(), beat);
  }

  private begin(missed: boolean) {
    this.synchronous = true;
    this.say({ kind: 'begin', since: this.since, missed });
    this.onBegin(missed);
  }

  private stand() {
    this.become(this.own.connection);
    this.say({ kind: 'connection', since: this.since, connection: this.own.connection, last: this.own.last });
  }

  private say(word: Word) {
    this.channel?.postMessage(word);
  }

  private hear(word: Word) {
    if (!('since' in word)) return this.answer(word.kind);
    if (word.since < this.since || this.holds) return;
    this.since = word.since;
    this.forgive();
    this.mind();
    switch (word.kind) {
      case 'pulse':
        return;
      case 'begin':
        return this.onBegin(word.missed);
      case 'event':
        this.last = word.event.id;
        return this.tell(word.event);
      case 'connection':
        return this.follow(word.connection, word.last);
    }
  }

  private answer(to: 'how are you' | 'reconnect') {
    if (!this.holds) return;
    if (to === 'reconnect') this.own.start();
    else this.stand();
  }

  /** The messages of the tab that holds the stream. */
  private follow(connection: Connection, last: string) {
    this.last = last || this.last;
    this.become(connection);
    if (connection.state !== 'live' || this.synchronous) return;
    this.synchronous = true;
    this.onBegin(true);
  }
}

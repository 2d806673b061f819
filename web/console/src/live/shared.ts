import type { Event } from '../api/client';
import { Feed, type Connection, type OnBegin } from './feed';
import { EventStream } from './stream';

const name = 'aliquot-events';

/** What the tabs of a browser tell each other; `since` is when the one that holds the stream began to hold it. */
type Word =
  | { kind: 'event'; since: number; event: Event }
  | { kind: 'connection'; since: number; connection: Connection; last: string }
  | { kind: 'begin'; since: number; missed: boolean }
  | { kind: 'pulse'; since: number }
  | { kind: 'how are you' }
  | { kind: 'reconnect' };

const beat = 2_000; // between two pulses
const silence = 10_000; // without a word, after which the tab that holds the stream is asked whether it still lives
const grace = 3_000; // for its answer
const calm = 300_000; // without a theft, after which thefts are forgotten; longer than the longest patience

/** Tells whether tabs can share; browsers let them on secure pages only, and those of this machine are. */
export const canShare = () => 'locks' in navigator && 'BroadcastChannel' in window;

/**
 * SharedStream is one stream of events for all tabs of a browser, which has few connections to a manager: the tab that gets the
 * lock holds the stream and hands on what comes. When it goes or rests, the next one resumes where it was. When it hangs, another
 * takes the lock from it; what the hung one says when it wakes is older, and not believed.
 */
export class SharedStream extends Feed {
  private readonly own: EventStream;
  private channel: BroadcastChannel | undefined;
  private turn = new AbortController();
  private holds = false;
  private since = 0; // of the tab that holds the stream, as far as this one knows
  private timer: ReturnType<typeof setTimeout> | undefined; // to the next pulse, or until a silence is too long
  private thefts = 0; // by this tab, not forgotten yet
  private disturbed = 0; // when this tab last took the lock away, or lost it so
  private synchronous = false; // nothing has been missed since the answers of this page were read
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
      this.turn.abort(); // another tab has taken the lock, since this one hung
      this.disturbed = Date.now();
      this.synchronous = false;
      this.queue();
      this.say({ kind: 'how are you' });
    }
  }

  /** Takes the lock away should its holder be silent for too long: later each time until there was calm, lest tabs that do not hear each other rob each other all day. */
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

  /** Called as long as this tab holds the lock or hears the one that does. */
  private forgive() {
    if (Date.now() - this.disturbed >= calm) this.thefts = 0;
  }

  /** Holds the stream until the signal comes. */
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

  /** What the tab that holds the stream says about it. */
  private follow(connection: Connection, last: string) {
    this.last = last || this.last;
    this.become(connection);
    if (connection.state !== 'live' || this.synchronous) return;
    this.synchronous = true;
    this.onBegin(true);
  }
}

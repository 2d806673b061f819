import type { Event } from '../api/client';
import { Feed, type Connection, type OnBegin } from './feed';
import { EventStream } from './stream';

const name = 'aliquot-events';

/** What the tabs of a browser tell each other. */
type Word =
  | { kind: 'event'; event: Event }
  | { kind: 'connection'; connection: Connection; last: string }
  | { kind: 'begin'; missed: boolean }
  | { kind: 'how are you' }
  | { kind: 'reconnect' };

/** Tells whether tabs can share; browsers let them on secure pages only, and those of this machine are. */
export const canShare = () => 'locks' in navigator && 'BroadcastChannel' in window;

/**
 * SharedStream is one stream of events for all tabs of a browser, which has few connections to a manager: the tab that gets the
 * lock holds the stream and hands on what comes. When it goes or rests, the next one resumes where it was.
 */
export class SharedStream extends Feed {
  private readonly own: EventStream;
  private channel: BroadcastChannel | undefined;
  private turn = new AbortController();
  private holds = false;
  private synchronous = false; // nothing has been missed since the answers of this page were read
  private last = '';

  constructor(private readonly onBegin: OnBegin) {
    super();
    this.own = new EventStream((missed) => this.begin(missed));
    this.own.watch(() => {
      if (this.holds) this.stand();
    });
    this.own.listen((event) => {
      this.say({ kind: 'event', event });
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
    this.turn = new AbortController();
    void this.queue(this.turn.signal);
  };

  readonly stop = () => {
    this.turn.abort();
    this.channel?.close();
    this.channel = undefined;
    this.become({ state: 'resting' });
  };

  private async queue(signal: AbortSignal) {
    try {
      await navigator.locks.request(name, { signal }, () => this.hold(signal));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Holds the stream until the signal comes. */
  private hold(signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) return undefined;
    this.holds = true;
    this.own.last = this.synchronous ? this.last : '';
    this.own.start();
    return new Promise((end) => {
      signal.addEventListener('abort', () => {
        this.holds = false;
        this.own.stop();
        end();
      });
    });
  }

  private begin(missed: boolean) {
    this.synchronous = true;
    this.say({ kind: 'begin', missed });
    this.onBegin(missed);
  }

  private stand() {
    this.become(this.own.connection);
    this.say({ kind: 'connection', connection: this.own.connection, last: this.own.last });
  }

  private say(word: Word) {
    this.channel?.postMessage(word);
  }

  private hear(word: Word) {
    switch (word.kind) {
      case 'how are you':
        if (this.holds) this.stand();
        return;
      case 'reconnect':
        if (this.holds) this.own.start();
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

  /** What the tab that holds the stream says about it. */
  private follow(connection: Connection, last: string) {
    this.last = last || this.last;
    this.become(connection);
    if (connection.state !== 'live' || this.synchronous) return;
    this.synchronous = true;
    this.onBegin(true);
  }
}

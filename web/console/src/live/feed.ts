import type { Event } from '../api/client';
import type { Problem } from '../api/problem';

/** State of the stream. `resting`: the tab is hidden. */
export type Connection = { state: 'connecting' } | { state: 'live'; replica: number } | { state: 'lost'; problem: Problem } | { state: 'resting' };

type EventListener = (event: Event) => void;

/** Called when a connection begins. missed: events may have been missed, so everything must be read anew. */
export type OnBegin = (missed: boolean) => void;

/** Feed is the source of the cluster's events for pages, wherever they come from. */
export abstract class Feed {
  connection: Connection = { state: 'connecting' };
  private readonly watchers = new Set<() => void>();
  private readonly listeners = new Set<EventListener>();

  /** Connects, or connects again at once. */
  abstract readonly start: () => void;
  /** Stops until start is called. */
  abstract readonly stop: () => void;

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

  protected become(connection: Connection) {
    this.connection = connection;
    for (const callback of this.watchers) callback();
  }

  protected tell(event: Event) {
    for (const listener of this.listeners) listener(event);
  }
}

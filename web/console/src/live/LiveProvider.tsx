import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Event } from '../api/client';
import type { Connection, Feed, OnBegin } from './feed';
import { Refresher } from './refresher';
import { canShare, SharedStream } from './shared';
import { EventStream } from './stream';
import { changedBy } from './topics';

const LiveContext = createContext<Feed | null>(null);
const restAfter = 30_000; // a hidden tab leaves the connection to others: browsers have six per server

/** LiveProvider follows the browser's one stream of events and refreshes the answers that they change. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [stream] = useState(() => (canShare() ? new SharedStream(begin(client)) : new EventStream(begin(client))));
  useEffect(() => {
    const refresher = new Refresher(client);
    const leave = stream.listen((event) => changedBy(event).forEach((key) => refresher.want(key)));
    stream.start();
    return () => {
      leave();
      stream.stop();
    };
  }, [client, stream]);
  useRestWhileHidden(stream);
  return <LiveContext value={stream}>{children}</LiveContext>;
}

/** Refreshes everything that may have changed while the connection was down. */
function begin(client: QueryClient): OnBegin {
  let before = false;
  return (missed) => {
    // A request from the time when the connection broke may never be answered. It is cancelled first, because otherwise
    // it would not be repeated.
    const stuck = new Set(before ? client.getQueryCache().findAll({ fetchStatus: 'fetching' }) : []);
    const those = { predicate: (query: Query) => stuck.has(query) };
    before = true;
    void client.cancelQueries(those).then(() => client.invalidateQueries(missed ? undefined : those));
  };
}

function useRestWhileHidden(stream: Feed) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => stream.stop(), restAfter);
      else if (stream.connection.state === 'resting') stream.start();
    };
    change();
    document.addEventListener('visibilitychange', change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', change);
    };
  }, [stream]);
}

const always: Connection = { state: 'connecting' };

/** Returns the state of the tab's stream. */
export function useConnection(): Connection {
  const stream = useContext(LiveContext);
  return useSyncExternalStore(
    stream?.watch ?? (() => () => undefined),
    () => stream?.connection ?? always,
  );
}

/** Calls back with every event while the component is mounted. */
export function useEvents(listener: (event: Event) => void) {
  const stream = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => stream?.listen((event) => latest.current(event)), [stream]);
}

/** Connects again at once. */
export function useReconnect(): () => void {
  const stream = useContext(LiveContext);
  return () => stream?.start();
}

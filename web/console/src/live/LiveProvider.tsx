import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Event } from '../api/client';
import { Refresher } from './refresher';
import { EventStream, type Connection } from './stream';
import { changedBy } from './topics';

const LiveContext = createContext<EventStream | null>(null);
const restAfter = 30_000; // a hidden tab gives its connection back: browsers have six per server

/** LiveProvider holds the tab's one stream of events and lets what they change be read anew. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [stream] = useState(() => new EventStream(() => void client.invalidateQueries()));
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

function useRestWhileHidden(stream: EventStream) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => stream.stop(), restAfter);
      else if (stream.connection.state === 'resting') stream.start();
    };
    document.addEventListener('visibilitychange', change);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', change);
    };
  }, [stream]);
}

const always: Connection = { state: 'connecting' };

/** The state of the tab's stream. */
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

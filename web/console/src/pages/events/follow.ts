import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Event, Schemas } from '../../api/client';
import { useEvents } from '../../live/LiveProvider';
import { useThrottled } from '../../ui/throttle';

/** What restricts the events; what is empty does not. */
export interface Filter {
  job?: string;
  node?: string;
  kinds: string[];
}

type Pages = InfiniteData<Schemas['EventPage']>;
const most = 20_000; // events in one list; beyond, it begins anew
const often = 500;

/** Puts what happens in front of what was read: what the stream says is what history would answer. */
export function useFollow(follow: boolean, filter: Filter) {
  const client = useQueryClient();
  const fresh = useRef<Event[]>([]);
  const key = ['events', filter];
  useEffect(() => {
    fresh.current = [];
  }, [filter]);
  const show = useThrottled(() => {
    const events = fresh.current;
    fresh.current = [];
    client.setQueryData<Pages>(key, (old) => old && withNewest(old, events));
    if ((client.getQueryData<Pages>(key)?.pages[0]?.events.length ?? 0) > most) void client.resetQueries({ queryKey: key });
  }, often);
  useEvents((event) => {
    if (!follow || !concerns(event, filter)) return;
    fresh.current.push(event);
    show();
  });
}

/** The pages, newest events first, with more that came since, oldest first; those that are there stay as they are. */
export function withNewest(old: Pages, events: Event[]): Pages {
  const [first, ...rest] = old.pages;
  if (!first) return old;
  const known = new Set(first.events.map((event) => event.id));
  const fresh = events.filter((event) => !known.has(event.id)).reverse();
  return fresh.length === 0 ? old : { ...old, pages: [{ ...first, events: [...fresh, ...first.events] }, ...rest] };
}

/** Whether an event is one of those that a filter leaves over. */
export function concerns(event: Event, filter: Filter): boolean {
  if (filter.job && event.job !== filter.job) return false;
  if (filter.node && event.node !== filter.node && event.from !== filter.node) return false;
  return filter.kinds.length === 0 || filter.kinds.includes(event.kind);
}

import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Event, Schemas } from '../../api/client';
import { useEvents } from '../../live/LiveProvider';
import { useThrottled } from '../../ui/throttle';

/** Restrictions of the events; empty fields do not restrict. */
export interface Filter {
  job?: string;
  node?: string;
  kinds: string[];
}

type Pages = InfiniteData<Schemas['EventPage']>;
const most = 20_000; // most events in one list; a longer one is read anew
const often = 500;

/** Puts new events in front of the read ones. The stream's events are equal to those of the history. */
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

/** Adds new events, which come oldest first, to pages of events, which are newest first. Known pages stay unchanged. */
export function withNewest(old: Pages, events: Event[]): Pages {
  const [first, ...rest] = old.pages;
  if (!first) return old;
  const known = new Set(first.events.map((event) => event.id));
  const fresh = events.filter((event) => !known.has(event.id)).reverse();
  return fresh.length === 0 ? old : { ...old, pages: [{ ...first, events: [...fresh, ...first.events] }, ...rest] };
}

/** Reports whether an event passes a filter. */
export function concerns(event: Event, filter: Filter): boolean {
  if (filter.job && event.job !== filter.job) return false;
  if (filter.node && event.node !== filter.node && event.from !== filter.node) return false;
  return filter.kinds.length === 0 || filter.kinds.includes(event.kind);
}

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Reservation = Schemas['Reservation'];
export type Promised = Schemas['Promise'];

/** The reservations, the earliest first. */
export const reservationsQuery = queryOptions({
  queryKey: ['reservations'],
  queryFn: () => content(api.GET('/v1/reservations')),
  refetchInterval: 15_000, // a promise falls due without an event
});

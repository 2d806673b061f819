import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Reservation = Schemas['Reservation'];
export type ExpectedStart = Schemas['ExpectedStart'];
export type Promisable = Schemas['Promisable'];
export type Promised = Schemas['Promise'];

/** The reservations, the earliest first. */
export const reservationsQuery = queryOptions({
  queryKey: ['reservations'],
  queryFn: () => content(api.GET('/v1/reservations')),
  refetchInterval: 15_000, // a promise falls due without an event
});

const moved = (job: string, key: string) => ({ params: { path: { job }, header: { 'Idempotency-Key': key } }, body: { by: '30m' } });

/** Moves the end of what is promised to a job half an hour later. */
export const extendPromise = (job: string, key: string) => content(api.POST('/v1/reservations/{job}/extend', moved(job, key)));

/** Moves the end of what is promised to a job half an hour earlier. */
export const shortenPromise = (job: string, key: string) => content(api.POST('/v1/reservations/{job}/shorten', moved(job, key)));

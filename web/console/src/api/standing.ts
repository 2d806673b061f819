import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Standing = Schemas['Standing'];

/** The reservations that are made again every week. */
export const standingQuery = queryOptions({
  queryKey: ['standing'],
  queryFn: () => content(api.GET('/v1/standing')),
  refetchInterval: 60_000, // occurrences are submitted without a request
});

export const makeStanding = (body: Schemas['StandingSpec'], key: string) =>
  content(api.POST('/v1/standing', { params: { header: { 'Idempotency-Key': key } }, body }));

export const cancelStanding = (standing: string, key: string) =>
  content(api.DELETE('/v1/standing/{standing}', { params: { path: { standing }, header: { 'Idempotency-Key': key } } }));

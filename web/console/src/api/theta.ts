import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Theta = Schemas['Theta'];

/** The limit of the price of every promise. */
export const thetaQuery = queryOptions({
  queryKey: ['theta'],
  queryFn: () => content(api.GET('/v1/theta')),
  refetchInterval: 60_000, // the limit follows the nodes
});

export const setTheta = (theta: number, key: string) =>
  content(api.PUT('/v1/theta', { params: { header: { 'Idempotency-Key': key } }, body: { theta } }));

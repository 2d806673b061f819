import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';
import { ProblemError } from './problem';

export type Offer = Schemas['Offer'];

/** An alternative to a refused promise that is held. */
export type Held = Schemas['Alternative'] & { offer: string; expires: string };

/** The offers that can be accepted. */
export const offersQuery = queryOptions({
  queryKey: ['offers'],
  queryFn: () => content(api.GET('/v1/offers')),
  refetchInterval: 15_000, // an offer expires without a request
});

const keyed = (offer: string, key: string) => ({ params: { path: { offer }, header: { 'Idempotency-Key': key } } });

export const acceptOffer = (offer: string, key: string) => content(api.POST('/v1/offers/{offer}/accept', keyed(offer, key)));

export const declineOffer = (offer: string, key: string) => content(api.DELETE('/v1/offers/{offer}', keyed(offer, key)));

/** Returns what is held instead of a refused submission. */
export function heldBy(error: unknown): Held[] {
  if (!(error instanceof ProblemError)) return [];
  return (error.problem.alternatives ?? []).filter((it): it is Held => it.offer !== undefined && it.expires !== undefined);
}

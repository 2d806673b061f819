import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type UsedSession = Schemas['UsedSession'];

/** The sessions in use: of one token, or all that the session may see. No event announces them. */
export const sessionsQuery = (token?: string) =>
  queryOptions({
    queryKey: ['sessions', token],
    queryFn: () => content(api.GET('/v1/sessions', { params: { query: { token } } })),
    refetchInterval: 60_000,
  });

export const endSession = (session: string, key: string) =>
  content(api.DELETE('/v1/sessions/{session}', { params: { path: { session }, header: { 'Idempotency-Key': key } } }));

export const endSessions = (token: string, key: string) =>
  content(api.DELETE('/v1/tokens/{token}/sessions', { params: { path: { token }, header: { 'Idempotency-Key': key } } }));

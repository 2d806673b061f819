import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Token = Schemas['Token'];
export type NewToken = Schemas['NewToken'];

export const tokensQuery = queryOptions({ queryKey: ['tokens'], queryFn: () => content(api.GET('/v1/tokens')) });

export const createToken = (token: NewToken, key: string) =>
  content(api.POST('/v1/tokens', { params: { header: { 'Idempotency-Key': key } }, body: token }));

export const revokeToken = (token: string, key: string) =>
  content(api.DELETE('/v1/tokens/{token}', { params: { path: { token }, header: { 'Idempotency-Key': key } } }));

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Policy = Schemas['Policy'];

export const policyQuery = queryOptions({ queryKey: ['policy'], queryFn: () => content(api.GET('/v1/policy')) });

/** The available policies. */
export type PolicyLine = Schemas['PolicyLine'];

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: () => content(api.GET('/v1/policies')),
  staleTime: Infinity, // fixed for one version of the manager
});

export const setPolicy = (policy: Policy, key: string) =>
  content(api.PUT('/v1/policy', { params: { header: { 'Idempotency-Key': key } }, body: policy }));

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Overview = Schemas['Overview'];

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => content(api.GET('/v1/overview')),
  refetchInterval: 10_000,
});

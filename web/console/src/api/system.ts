import { queryOptions } from '@tanstack/react-query';
import { api, content } from './client';

export const versionQuery = queryOptions({ queryKey: ['version'], queryFn: () => content(api.GET('/v1/version')), staleTime: 60_000 });

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => content(api.GET('/v1/health')),
  refetchInterval: 10_000,
});

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

/** A replica of the cluster's management, as it answered just now. */
export type Manager = Schemas['Manager'];

export const managersQuery = queryOptions({
  queryKey: ['managers'],
  queryFn: () => content(api.GET('/v1/managers')),
  refetchInterval: 10_000, // a silent manager causes no event
});

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Quota = Schemas['Quota'];

/** The quotas that the session may see, with their use. */
export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: () => content(api.GET('/v1/quotas')),
  refetchInterval: 15_000, // the use changes with every job
});

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type LearntSpeed = Schemas['LearntSpeed'];
export type SpeedList = Schemas['SpeedList'];

/** speedsQuery asks how fast each class of nodes does each kind of work. */
export const speedsQuery = queryOptions({
  queryKey: ['speeds'],
  queryFn: () => content(api.GET('/v1/speeds')),
  refetchInterval: 60_000, // it changes whenever a job succeeds
});

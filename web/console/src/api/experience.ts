import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Similar = Schemas['Similar'];
export type Experience = Schemas['Experience'];

/** experienceQuery asks how long jobs that succeeded took. */
export const experienceQuery = queryOptions({
  queryKey: ['experience'],
  queryFn: () => content(api.GET('/v1/experience')),
  refetchInterval: 60_000, // it changes whenever a job succeeds
});

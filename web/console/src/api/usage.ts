import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type UsageRow = Schemas['UsageRow'];

/** UsageBy is the kind of the rows of a report. */
export type UsageBy = 'owner' | 'project';

/** usageQuery asks for the sums of the last hours, a row per owner or project. */
export const usageQuery = (by: UsageBy, hours: number) =>
  queryOptions({
    queryKey: ['usage', by, hours],
    queryFn: () => content(api.GET('/v1/usage', { params: { query: { by, step: 'all', from: new Date(Date.now() - hours * 3_600_000).toISOString() } } })),
    refetchInterval: 60_000, // no event announces usage
  });

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Job, type Schemas } from './client';

type Rows = Pick<Schemas['ClusterSeries'], 'start' | 'stepSeconds' | 'rows'>;

/** Length of a chart's period, in hours. */
export const ranges = [1, 6, 24, 168] as const;

const minute = 60_000; // a row of a series is a minute

const since = (hours: number) => new Date(Date.now() - hours * 3600_000).toISOString();

/** The cluster's series of the last hours. */
export const clusterSeriesQuery = (hours: number) =>
  queryOptions({
    queryKey: ['series', hours],
    queryFn: () => content(api.GET('/v1/series', { params: { query: { from: since(hours), rows: 400 } } })),
    refetchInterval: minute,
  });

/** A node's series of the last hours. */
export const nodeSeriesQuery = (node: string, hours: number) =>
  queryOptions({
    queryKey: ['series', 'node', node, hours],
    queryFn: () => content(api.GET('/v1/nodes/{node}/series', { params: { path: { node }, query: { from: since(hours), rows: 400 } } })),
    refetchInterval: minute,
  });

/** The usage of the first hundred tasks of a job in the last hours. */
/** The usage of a job in the last hours, or in all of its life if it has ended. */
export const jobUsageQuery = (job: Job, hours: number) =>
  queryOptions({
    queryKey: ['series', 'job', job.id, job.ended ?? hours],
    queryFn: () => {
      const span = job.ended ? { from: job.submitted, to: job.ended } : { from: since(hours) };
      return content(api.GET('/v1/jobs/{job}/usage', { params: { path: { job: job.id }, query: { ...span, rows: 400 } } }));
    },
    refetchInterval: job.ended ? false : minute,
  });

/** The times of the rows, in seconds since 1970. */
export function timesOf(series: Rows): number[] {
  const start = Date.parse(series.start) / 1000;
  return Array.from({ length: series.rows }, (_, row) => start + row * series.stepSeconds);
}

/** Adds lists row by row. A row with an unknown value is unknown. */
export function sum(...lists: (number | null)[][]): (number | null)[] {
  return lists[0]!.map((_, row) => lists.reduce<number | null>((total, list) => (total === null || list[row] == null ? null : total + list[row]), 0));
}

/** Averages the known values row by row; null if there is none. */
export function mean(lists: (number | null)[][], rows: number): (number | null)[] {
  return Array.from({ length: rows }, (_, row) => {
    const known = lists.map((list) => list[row]).filter((value): value is number => value != null);
    return known.length > 0 ? known.reduce((total, value) => total + value, 0) / known.length : null;
  });
}

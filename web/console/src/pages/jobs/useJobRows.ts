import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Job } from '../../api/client';
import { jobPageQuery, jobPageSize, type JobFilter } from '../../api/jobs';

/** JobRows are the rows of a table of jobs. Rows that are out of sight may be missing. */
export interface JobRows {
  rows: (Job | undefined)[];
  loaded: boolean;
  error: Error | null;
  retry: () => void;
  /** Sets the rows that are in sight. Only their pages are read and refreshed. */
  see: (first: number, last: number) => void;
}

export function useJobRows(filter: JobFilter, sort: string): JobRows {
  const [sight, setSight] = useState({ from: 0, to: 0 });
  const see = useCallback((first: number, last: number) => {
    const [from, to] = [Math.floor(first / jobPageSize), Math.floor(last / jobPageSize)];
    setSight((old) => (old.from === from && old.to === to ? old : { from, to }));
  }, []);
  const numbers = useMemo(() => Array.from({ length: sight.to - sight.from + 1 }, (_, i) => sight.from + i), [sight]);
  const pages = useQueries({ queries: numbers.map((page) => jobPageQuery(filter, sort, page)) });
  const known = pages.find((page) => page.data)?.data?.total;
  const total = useRef<number>(undefined); // total of the previous list until this one is known, so that the table stays
  total.current = known ?? total.current;
  const count = total.current ?? 0;
  const versions = pages.map((page) => page.dataUpdatedAt).join();
  const rows = useMemo(
    () => spread(count, numbers.map((page, i) => [page, pages[i]?.data?.jobs ?? []])),
    [filter, sort, numbers, count, versions], // the pages depend on these values
  );
  return {
    rows,
    loaded: total.current !== undefined,
    error: pages.find((page) => page.error)?.error ?? null,
    retry: () => pages.forEach((page) => void page.refetch()),
    see,
  };
}

/**
 * Puts the jobs of pages at their positions. A job that moved while pages were read appears only at its first position.
 */
export function spread(total: number, pages: [number, Job[]][]): (Job | undefined)[] {
  const rows = new Array<Job | undefined>(total).fill(undefined);
  const seen = new Set<string>();
  for (const [page, jobs] of pages) {
    jobs.forEach((job, i) => {
      if (seen.has(job.id) || page * jobPageSize + i >= total) return;
      seen.add(job.id);
      rows[page * jobPageSize + i] = job;
    });
  }
  return rows;
}

import { Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Job } from '../../api/client';
import { allJobs, type JobFilter } from '../../api/jobs';
import type { Column } from '../../ui/column';

/** Selection is a choice of jobs of a table: some, or all that pass the filter, except some. */
export interface Selection {
  count: number;
  has: (job: Job) => boolean;
  toggle: (job: Job) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Returns the selected jobs. Of a selection of all, the server has to be asked which they are. */
  jobs: () => Promise<Job[]>;
}

const none = { all: false, named: new Map<string, Job>() };

/** A selection of the jobs that pass the filter. Another filter begins with none. */
export function useSelection(filter: JobFilter, total: number): Selection {
  const about = JSON.stringify(filter);
  const [state, setState] = useState({ ...none, about });
  const { all, named } = state.about === about ? state : none;
  return useMemo(() => {
    const set = (all: boolean, named: Map<string, Job>) => setState({ all, named, about });
    const count = all ? total - named.size : named.size;
    return {
      count,
      has: (job) => all !== named.has(job.id),
      toggle: (job) => {
        const changed = new Map(named);
        if (!changed.delete(job.id)) changed.set(job.id, job);
        set(all, changed);
      },
      toggleAll: () => set(count === 0, new Map()),
      clear: () => set(false, new Map()),
      jobs: async () => (all ? (await allJobs(filter)).filter((job) => !named.has(job.id)) : [...named.values()]),
    };
  }, [all, named, about, filter, total]);
}

/** The column with a box for each job, and one in its header for all. */
export function selectColumn(selection: Selection, total: number): Column<Job> {
  const all = selection.count === total && total > 0;
  return {
    id: 'select', header: 'Selected', width: 32,
    head: <Checkbox size="xs" aria-label="Select all" checked={all} indeterminate={selection.count > 0 && !all} onChange={selection.toggleAll} />,
    cell: (job) => <Checkbox size="xs" aria-label={`Select ${job.id}`} checked={selection.has(job)} onChange={() => selection.toggle(job)} />,
  };
}

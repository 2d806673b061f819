import { useMemo } from 'react';
import type { JobFilter } from '../../api/jobs';
import { put, useParameters } from '../../ui/url';

/** The states that the filter offers; active and ended each stand for several states. */
export const states = ['active', 'ended', 'waiting', 'dependent', 'starting', 'running', 'moving', 'pausing', 'paused', 'held', 'stopping', 'succeeded', 'failed', 'cancelled'];

/** The filter of the table of jobs, kept in the address. */
export interface FilterState {
  value: JobFilter;
  active: boolean;
  set: (change: Partial<JobFilter>) => void;
  clear: () => void;
}

export function useJobFilter(): FilterState {
  const [parameters, change] = useParameters();
  const text = parameters.toString();
  const value = useMemo(() => read(new URLSearchParams(text)), [text]);
  const set = (filter: Partial<JobFilter>) =>
    change((changed) => {
      for (const [name, part] of Object.entries(filter)) put(changed, name, String(part));
    });
  return {
    value,
    active: Boolean(value.search || value.owner || value.project || value.states.length),
    set,
    clear: () => set(nothing),
  };
}

const nothing: JobFilter = { search: '', states: [], owner: '', project: '' };

function read(parameters: URLSearchParams): JobFilter {
  return {
    search: parameters.get('search') ?? '',
    states: (parameters.get('states') ?? '').split(',').filter((state) => states.includes(state)),
    owner: parameters.get('owner') ?? '',
    project: parameters.get('project') ?? '',
  };
}

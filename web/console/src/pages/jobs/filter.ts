import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { JobFilter } from '../../api/jobs';

/** The states that jobs are filtered by; active and ended stand for several. */
export const states = ['active', 'ended', 'waiting', 'starting', 'running', 'moving', 'pausing', 'paused', 'held', 'stopping', 'succeeded', 'failed', 'cancelled'];

/** The filter of the table of jobs; it lives in the address. */
export interface FilterState {
  value: JobFilter;
  active: boolean;
  set: (change: Partial<JobFilter>) => void;
  clear: () => void;
}

export function useJobFilter(): FilterState {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  const value = useMemo(() => read(new URLSearchParams(text)), [text]);
  const write = (filter: JobFilter) =>
    setParameters(
      (old) => {
        const changed = new URLSearchParams(old);
        for (const [name, part] of Object.entries({ ...filter, states: filter.states.join(',') })) {
          if (part) changed.set(name, part);
          else changed.delete(name);
        }
        return changed;
      },
      { replace: true },
    );
  return {
    value,
    active: Boolean(value.search || value.owner || value.project || value.states.length),
    set: (change) => write({ ...value, ...change }),
    clear: () => write(nothing),
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

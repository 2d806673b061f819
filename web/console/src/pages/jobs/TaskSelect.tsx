import { Select } from '@mantine/core';
import type { Job } from '../../api/client';
import { useUrlState } from '../../ui/url';

/** Returns the index of the task that the address chooses, the same for all tabs of a job, and how to choose another. */
export function useTask(job: Job): [number, (task: string) => void] {
  const [task, choose] = useUrlState('task', '0');
  return [Math.min(Number(task) || 0, (job.spec.tasks ?? 1) - 1), choose];
}

/** TaskSelect chooses one of the tasks of a job. */
export function TaskSelect({ job, task, choose }: { job: Job; task: number; choose: (task: string) => void }) {
  const count = job.spec.tasks ?? 1;
  return (
    <Select
      label="Task"
      data={Array.from({ length: count }, (_, i) => String(i))}
      value={String(task)}
      onChange={(value) => choose(value ?? '0')}
      searchable={count > 20}
      allowDeselect={false}
      w={110}
    />
  );
}

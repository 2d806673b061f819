import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../api/client';
import { jobUsageQuery, mean, timesOf } from '../../api/series';
import { roundBytes } from '../../ui/axis';
import { LazyChart } from '../../ui/LazyChart';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { RangeSelect, useRange } from '../../ui/RangeSelect';
import { bytes, cpu, duration, plural } from '../../wording/amounts';

/** JobUsage draws the usage of a job's tasks and the need of each. */
export function JobUsage({ job }: { job: Job }) {
  const usage = useQuery(jobUsageQuery(job, useRange()));
  if (usage.error) return <ProblemAlert error={usage.error} retry={() => void usage.refetch()} />;
  if (!usage.data) return <Loader aria-label="Loading the use" />;
  const { tasks, rows, leader } = usage.data;
  const times = timesOf(usage.data);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="var(--aliquot-quiet)">
          {tasks.length > 0 &&
            `Each value is the mean of ${plural(tasks.length, 'measured run')} over ${duration(usage.data.stepSeconds)}. Gaps are times in which none of them ran or nobody led, or of which no record is kept any more.`}
        </Text>
        {!job.ended && <RangeSelect />}
      </Group>
      {leader && <Text size="sm">Only the leader, {leader}, knows the usage, and it does not answer this manager.</Text>}
      {tasks.length === 0 && !leader && <Text size="sm">{job.ended ? 'Nothing was measured, or it is not kept any more.' : 'Nothing was measured yet: the first values appear about a minute after a task has started.'}</Text>}
      {tasks.length > 0 && (
        <>
          <LazyChart
            label={`CPU that a task of ${job.id} used`}
            times={times}
            series={[
              { label: 'Used by a task', values: mean(tasks.map((task) => task.usedMillicores), rows), fill: true },
              { label: 'Need of a task', values: times.map(() => job.needMillicores), dashed: true },
            ]}
            words={cpu}
            least={10}
          />
          <LazyChart
            label={`Memory that a task of ${job.id} used`}
            times={times}
            series={[
              { label: 'Resident', values: mean(tasks.map((task) => task.memoryBytes), rows), fill: true },
              { label: 'Memory of a task', values: times.map(() => job.memoryBytes), dashed: true },
            ]}
            words={bytes}
            steps={roundBytes}
          />
        </>
      )}
    </Stack>
  );
}

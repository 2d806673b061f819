import { Loader, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Job } from '../../api/client';
import { historyQuery } from '../../api/history';
import { LazyChart } from '../../ui/LazyChart';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { yieldText } from '../../wording/amounts';
import { yieldsOf } from './yields';

const kinds = ['job_submitted', 'job_placed', 'job_unplaced', 'job_ended'];

/** JobYield draws a job's yield over time: what each decision granted it. */
export function JobYield({ job }: { job: Job }) {
  const history = useInfiniteQuery(historyQuery({ job: job.id, kinds }, 1000));
  if (history.error) return <ProblemAlert error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loader aria-label="Loading the history" />;
  const points = yieldsOf(history.data.pages.flatMap((page) => page.events), job.needMillicores);
  if (points.length === 0) return <Text>No decision about this job is kept.</Text>;
  const until = Date.parse(job.submitted) / 1000 + job.flowSeconds; // by the cluster's clock, not the reader's
  const last = points.at(-1)!;
  return (
    <Stack gap="xs">
      <LazyChart
        label={`Yield of ${job.id} over time`}
        times={[...points.map((point) => point.at), Math.max(until, last.at)]}
        series={[{ label: 'Yield', values: [...points.map((point) => point.value), last.value], stepped: true, fill: true }]}
        words={yieldText}
        max={1}
      />
      <Text size="sm" c="var(--aliquot-quiet)">
        The yield is the share of its need that each task is granted; 0 while the job holds nothing. Its area is the virtual time.
      </Text>
    </Stack>
  );
}

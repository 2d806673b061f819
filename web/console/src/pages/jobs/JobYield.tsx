import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../api/client';
import { jobTimelineQuery } from '../../api/timeline';
import { LazyChart } from '../../ui/LazyChart';
import { Moment } from '../../ui/Moment';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { yieldText } from '../../wording/amounts';
import { yieldsOf } from './yields';

/** JobYield draws a job's yield over time. */
export function JobYield({ job }: { job: Job }) {
  const timeline = useQuery(jobTimelineQuery(job.id));
  if (timeline.error) return <ProblemAlert error={timeline.error} retry={() => void timeline.refetch()} />;
  if (!timeline.data) return <Loader aria-label="Loading the timeline" />;
  const { spans, at, since, cut } = timeline.data;
  const submitted = Date.parse(job.submitted);
  const until = job.ended ? Date.parse(job.ended) : at;
  const points = yieldsOf(spans, job.spec.tasks ?? 1, submitted / 1000, since / 1000, until / 1000);
  if (spans.length === 0) return <Text>No history of this job is kept.</Text>;
  return (
    <Stack gap="xs">
      <LazyChart
        label={`Yield of ${job.id} over time`}
        times={points.map((point) => point.at)}
        series={[{ label: 'Yield', values: points.map((point) => point.value), stepped: true, fill: true }]}
        words={yieldText}
        max={1}
      />
      <Text size="sm" c="var(--aliquot-quiet)">
        The yield is the share of its need that each task gets, and 0 while one of them stands still: they advance together. In the background there is none. Its area is the virtual time that the job would have if its tasks never waited for their CPU.
        {since > submitted && (
          <>
            {' '}
            What ended before <Moment at={new Date(since).toISOString()} /> may be missing.
          </>
        )}
        {cut && ' These are the latest changes of many.'}
      </Text>
    </Stack>
  );
}

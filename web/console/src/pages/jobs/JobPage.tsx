import { Anchor, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Job } from '../../api/client';
import { jobQuery } from '../../api/jobs';
import { useMaySteer } from '../../api/session';
import { ActionButton } from '../../ui/ActionButton';
import { Page } from '../../ui/Page';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { UrlTabs } from '../../ui/UrlTabs';
import { cancel, extend, hold, release } from './actions';
import { reason } from './columns';
import { FileList } from './FileList';
import { JobFacts } from './JobFacts';
import { JobHistory } from './JobHistory';
import { JobSpecView } from './JobSpecView';
import { JobUsage } from './JobUsage';
import { JobYield } from './JobYield';
import { LogView } from './LogView';
import { ShellView } from './ShellView';
import { TaskTable } from './TaskTable';

/** JobPage shows one job: the reason for its state, its tasks, its past, its output. */
export function JobPage() {
  const id = useParams().job!;
  const job = useQuery(jobQuery(id));
  const title = job.data?.name ? `${id} ${job.data.name}` : id;
  return (
    <Page title={title} actions={job.data && <JobActions job={job.data} />}>
      {job.data ? (
        <JobView job={job.data} />
      ) : job.error ? (
        <ProblemAlert error={job.error} retry={() => void job.refetch()} />
      ) : (
        <Loader aria-label="Loading the job" />
      )}
    </Page>
  );
}

function JobView({ job }: { job: Job }) {
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Group gap="sm" align="baseline">
            <Text size="lg" fw={600} component="div">
              <StateBadge state={job.state} />
            </Text>
            <Text className="wrap-anywhere" role="status">
              {reason(job) ? sentence(reason(job)) : ''}
            </Text>
            <Cause job={job} />
          </Group>
          <JobFacts job={job} />
        </Stack>
      </Paper>
      <UrlTabs
        label="About this job"
        tabs={[
          { id: 'tasks', label: 'Tasks', content: <TaskTable job={job} /> },
          { id: 'yield', label: 'Yield', content: <JobYield job={job} /> },
          { id: 'use', label: 'Use', content: <JobUsage job={job} /> },
          { id: 'timeline', label: 'Timeline', content: <JobHistory job={job.id} /> },
          { id: 'output', label: 'Output', content: <LogView job={job} /> },
          { id: 'terminal', label: 'Terminal', content: <ShellView job={job} /> },
          { id: 'files', label: 'Files', content: <FileList job={job} /> },
          { id: 'spec', label: 'Specification', content: <JobSpecView job={job} /> },
        ]}
      />
    </>
  );
}

/** Cause shows why something failed, with a link to more. */
function Cause({ job }: { job: Job }) {
  const failing = job.tasks?.some((task) => task.attempts > 0) ?? false;
  if (!failing && job.state !== 'failed') return null;
  return (
    <Anchor component={Link} to={failing ? '?tab=timeline' : '?tab=output'} replace preventScrollReset size="sm">
      {failing ? 'See its timeline for the reason' : 'See its output'}
    </Anchor>
  );
}

function JobActions({ job }: { job: Job }) {
  const may = useMaySteer(job);
  if (!may || job.ended || job.outcome) return null;
  return (
    <>
      {job.held ? <ActionButton key="release" action={release(job)} /> : <ActionButton key="hold" action={hold(job)} />}
      {job.promise && <ActionButton action={extend(job)} />}
      <ActionButton action={cancel(job)} />
    </>
  );
}

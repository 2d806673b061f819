import { Button, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Job } from '../../api/client';
import { jobsQuery } from '../../api/jobs';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { plural } from '../../wording/amounts';
import { columns } from './columns';
import { JobFilterBar } from './JobFilterBar';
import { useJobFilter } from './filter';

/** JobsPage lists the jobs that a filter leaves over. */
export function JobsPage() {
  const filter = useJobFilter();
  const [sort, setSort] = useUrlState('sort');
  const jobs = useInfiniteQuery(jobsQuery(filter.value, sort));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = jobs;
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  };
  const rows = useMemo(() => unique(jobs.data?.pages.flatMap((page) => page.jobs) ?? []), [jobs.data]);
  const total = jobs.data?.pages.at(-1)?.total ?? 0;
  return (
    <Page title="Jobs" actions={<SubmitLink />}>
      <JobFilterBar filter={filter} />
      {jobs.error && <ProblemAlert error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.isPending && !jobs.error && <Loader aria-label="Loading the jobs" />}
      {jobs.data && rows.length === 0 && <NoJobs filtered={filter.active} clear={filter.clear} />}
      {rows.length > 0 && (
        <>
          <VirtualTable label="Jobs" columns={columns} rows={rows} rowKey={(job) => job.id} sort={sort} onSort={setSort} sorted total={total} onEnd={more} />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(total, 'job')}
            {hasNextPage ? `, ${rows.length.toLocaleString('en')} of them loaded; scroll for more` : ''}
          </Text>
        </>
      )}
    </Page>
  );
}

function SubmitLink() {
  return (
    <Button component={Link} to="/jobs/submit" leftSection={<Icon name="plus" />}>
      Submit a job
    </Button>
  );
}

function NoJobs({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="No job matches" action={<Button onClick={clear}>Show all jobs</Button>}>
        There may be others: the filter hides them.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There are no jobs yet" action={<SubmitLink />}>
      A job is a program with the CPU that it could use and the memory that it needs. Submit one here, or with <code>aliquot job submit</code>.
    </EmptyState>
  );
}

/** Pages that are counted may repeat a job when the list changes meanwhile. */
function unique(jobs: Job[]): Job[] {
  return [...new Map(jobs.map((job) => [job.id, job])).values()];
}

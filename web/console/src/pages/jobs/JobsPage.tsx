import { Button, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
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
  const jobs = useInfiniteQuery(jobsQuery(filter.value));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = jobs;
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  };
  // Sorting a part of the jobs would mislead, so all of them are loaded for it.
  useEffect(() => {
    if (sort && hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [sort, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => jobs.data?.pages.flatMap((page) => page.jobs) ?? [], [jobs.data]);
  return (
    <Page title="Jobs" actions={<SubmitLink />}>
      <JobFilterBar filter={filter} />
      {jobs.error && <ProblemAlert error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.isPending && !jobs.error && <Loader aria-label="Loading the jobs" />}
      {jobs.data && rows.length === 0 && <NoJobs filtered={filter.active} clear={filter.clear} />}
      {rows.length > 0 && (
        <>
          <VirtualTable label="Jobs" columns={columns} rows={rows} rowKey={(job) => job.id} sort={sort} onSort={setSort} onEnd={more} />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(rows.length, 'job')} {hasNextPage ? 'loaded; scroll for older ones' : ''}
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

import { Button, Loader, Text } from '@mantine/core';
import { EmptyState } from '../../ui/EmptyState';
import { useNarrow } from '../../ui/narrow';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { plural } from '../../wording/amounts';
import { columns, narrowColumns } from './columns';
import { JobFilterBar } from './JobFilterBar';
import { useJobFilter } from './filter';
import { SubmitLink } from './SubmitLink';
import { useJobRows } from './useJobRows';

/** JobsPage lists the jobs that pass a filter. */
export function JobsPage() {
  const filter = useJobFilter();
  const narrow = useNarrow();
  const [sort, setSort] = useSort(columns);
  const { rows, loaded, error, retry, see } = useJobRows(filter.value, sort);
  return (
    <Page title="Jobs" actions={<SubmitLink />}>
      <JobFilterBar filter={filter} />
      {error && <ProblemAlert error={error} retry={retry} />}
      {!loaded && !error && <Loader aria-label="Loading the jobs" />}
      {loaded && rows.length === 0 && <NoJobs filtered={filter.active} clear={filter.clear} />}
      {rows.length > 0 && (
        <>
          <VirtualTable label="Jobs" columns={narrow ? narrowColumns : columns} rows={rows} rowKey={(job) => job.id} sort={sort} onSort={setSort} sorted onSight={see} />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(rows.length, 'job')}
          </Text>
        </>
      )}
    </Page>
  );
}

function NoJobs({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="No job matches" action={<Button onClick={clear}>Show all jobs</Button>}>
        The filter may hide other jobs.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There are no jobs yet" action={<SubmitLink />}>
      A job is a program with a CPU need and a memory requirement. Submit one here, or with <code>aliquot job submit</code>.
    </EmptyState>
  );
}

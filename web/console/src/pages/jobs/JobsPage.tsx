import { Button, Group, Loader, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useMay } from '../../api/session';
import { ColumnMenu, useColumnChoice } from '../../ui/ColumnChoice';
import { EmptyState } from '../../ui/EmptyState';
import { useNarrow } from '../../ui/narrow';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { plural } from '../../wording/amounts';
import { BulkBar } from './BulkBar';
import { columns, narrowColumns } from './columns';
import { JobFilterBar } from './JobFilterBar';
import { useJobFilter } from './filter';
import { selectColumn, useSelection } from './selection';
import { SubmitLink } from './SubmitLink';
import { useJobRows } from './useJobRows';

/** JobsPage lists the jobs that pass a filter, and changes the selected ones. */
export function JobsPage() {
  const filter = useJobFilter();
  const narrow = useNarrow();
  const [sort, setSort] = useSort(columns);
  const { rows, loaded, error, retry, see } = useJobRows(filter.value, sort);
  const offered = narrow ? narrowColumns : columns;
  const [chosen, choice] = useColumnChoice('jobs', offered);
  const selects = useMay('user') && !narrow;
  const selection = useSelection(filter.value, rows.length);
  const shown = useMemo(() => (selects ? [selectColumn(selection, rows.length), ...chosen] : chosen), [selects, selection, rows.length, chosen]);
  return (
    <Page title="Jobs" actions={selection.count > 0 ? <BulkBar selection={selection} /> : <SubmitLink />}>
      <Group justify="space-between" align="end" gap="sm">
        <JobFilterBar filter={filter} />
        <Group gap="xs">
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {loaded && plural(rows.length, 'job')}
          </Text>
          <ColumnMenu columns={offered} chosen={choice} />
        </Group>
      </Group>
      {error && <ProblemAlert error={error} retry={retry} />}
      {!loaded && !error && <Loader aria-label="Loading the jobs" />}
      {loaded && rows.length === 0 && <NoJobs filtered={filter.active} clear={filter.clear} />}
      {rows.length > 0 && (
        <VirtualTable label="Jobs" columns={shown} rows={rows} rowKey={(job) => job.id} sort={sort} onSort={setSort} sorted onSight={see} height="calc(100vh - 212px)" />
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

import { Loader, SegmentedControl, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usageQuery, type UsageBy } from '../../api/usage';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { columnsOf } from './columns';
import { RunTimes } from './RunTimes';

const kinds = [
  { value: 'owner', label: 'By owner' },
  { value: 'project', label: 'By project' },
  { value: 'run-times', label: 'Run times' },
];

const spans = [
  { value: '24', label: 'last day' },
  { value: '168', label: 'last week' },
  { value: '720', label: 'last 30 days' },
  { value: '8760', label: 'last year' },
];

/** UsagePage shows what the jobs of owners or projects had over time, or how long jobs of each type took. */
export function UsagePage() {
  const [kind, setKind] = useUrlState('by');
  const chosen = kinds.find(({ value }) => value === kind)?.value ?? 'owner';
  return (
    <Page title="Usage">
      <SegmentedControl aria-label="What to show" data={kinds} value={chosen} onChange={setKind} style={{ alignSelf: 'start' }} />
      {chosen === 'run-times' ? <RunTimes /> : <Amounts by={chosen === 'project' ? 'project' : 'owner'} />}
    </Page>
  );
}

/** Amounts shows what the jobs of owners or projects had. */
function Amounts({ by }: { by: UsageBy }) {
  const [hours, setHours] = useUrlState('hours');
  const span = spans.find(({ value }) => value === hours)?.value ?? '168';
  const usage = useQuery({ ...usageQuery(by, Number(span)), placeholderData: keepPreviousData });
  return (
    <>
      <Select label="Time" data={spans} value={span} onChange={(value) => setHours(value ?? '')} allowDeselect={false} w={150} />
      <Text size="sm">In hours of a core, and in hours for which a job waited or was paused although it may run. Times without a leader are missing.</Text>
      {usage.error && <ProblemAlert error={usage.error} retry={() => void usage.refetch()} />}
      {usage.isPending && !usage.error && <Loader aria-label="Loading the usage" />}
      {usage.data?.rows.length === 0 && <EmptyState title="No job had anything">Usage appears within a minute after a job was submitted.</EmptyState>}
      {usage.data && usage.data.rows.length > 0 && <VirtualTable label="Usage" columns={columnsOf(by)} rows={usage.data.rows} rowKey={(row) => row.owner ?? row.project ?? ''} />}
    </>
  );
}

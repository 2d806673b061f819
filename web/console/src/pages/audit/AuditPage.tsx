import { Button, Group, Loader, Select, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { auditQuery, type AuditFilter, type Outcome } from '../../api/audit';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/EmptyState';
import { useNarrow } from '../../ui/narrow';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { SilentManagers } from '../../ui/SilentManagers';
import { Typed } from '../../ui/Typed';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { count } from '../../wording/amounts';
import { columns, narrowColumns } from './columns';

const outcomes: Outcome[] = ['accepted', 'refused', 'failed'];

const spans = [
  { value: '1', label: 'last hour' },
  { value: '24', label: 'last day' },
  { value: '168', label: 'last week' },
];

/** AuditPage shows administrators who did or tried what. */
export function AuditPage() {
  return <Page title="Audit">{useMay('admin') ? <AuditLog /> : <EmptyState title="The audit log needs the role admin">Ask an admin.</EmptyState>}</Page>;
}

function AuditLog() {
  const [who, setWho] = useUrlState('who');
  const [operation, setOperation] = useUrlState('operation');
  const [outcome, setOutcome] = useUrlState('outcome');
  const [hours, setHours] = useUrlState('hours');
  const narrow = useNarrow();
  const filter = useMemo(() => filterOf(who, operation, outcome, hours), [who, operation, outcome, hours]);
  const log = useInfiniteQuery({ ...auditQuery(filter), placeholderData: (old) => old });
  const entries = useMemo(() => log.data?.pages.flatMap((page) => page.entries) ?? [], [log.data]);
  const { hasNextPage, isFetching, isError, fetchNextPage } = log;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <>
      <Group align="end" role="search" aria-label="Filter the audit log">
        <Typed label="Who" placeholder="anybody" w={150} value={who} onType={setWho} />
        <Typed label="Operation" placeholder="like *-token" w={170} value={operation} onType={setOperation} />
        <Select label="Outcome" placeholder="any" data={outcomes} value={outcome || null} onChange={(value) => setOutcome(value ?? '')} clearable w={140} />
        <Select label="Time" placeholder="all" data={spans} value={hours || null} onChange={(value) => setHours(value ?? '')} clearable w={140} />
        <Button variant="default" loading={log.isFetching} onClick={() => void log.refetch()}>
          Refresh
        </Button>
      </Group>
      {log.error && <ProblemAlert error={log.error} retry={() => void log.refetch()} />}
      {log.isPending && !log.error && <Loader aria-label="Loading the audit log" />}
      <SilentManagers silent={log.data?.pages.at(-1)?.silent} missing="entries" />
      {log.data && entries.length === 0 && <EmptyState title="No entry matches">Logins, changes, reads of output, and requests that were refused for lack of rights appear here.</EmptyState>}
      {entries.length > 0 && (
        <>
          <VirtualTable label="Audit log" columns={narrow ? narrowColumns : columns} rows={entries} rowKey={(entry) => entry.id} onEnd={more} />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {entries.length === 1 ? '1 entry' : `${count(entries.length)} entries`} loaded{log.hasNextPage ? '; scroll for older ones' : ''}
          </Text>
        </>
      )}
    </>
  );
}

/** The beginning of the span is rounded to minutes, so that a page that is drawn again asks for the same. */
function filterOf(who: string, operation: string, outcome: string, hours: string): AuditFilter {
  const minute = Math.floor(Date.now() / 60_000);
  return {
    who: who || undefined,
    operations: operation ? operation.split(',').map((pattern) => pattern.trim()) : undefined,
    outcome: outcomes.find((known) => known === outcome),
    from: Number(hours) > 0 ? new Date((minute - Number(hours) * 60) * 60_000).toISOString() : undefined,
  };
}

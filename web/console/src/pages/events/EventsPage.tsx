import { Group, Loader, MultiSelect, Switch, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { historyQuery } from '../../api/history';
import { EmptyState } from '../../ui/EmptyState';
import { isJob, JobField } from '../../ui/JobField';
import { useNarrow } from '../../ui/narrow';
import { NodeField, useIsNode } from '../../ui/NodeField';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { plural } from '../../wording/amounts';
import { eventKinds } from '../../wording/events';
import { columns, narrowColumns } from './columns';
import { ExportMenu } from './ExportMenu';
import { useFollow } from './follow';
import { linesOf, type Line } from './lines';

/** EventsPage lists past events, follows new ones, and exports both as a file. */
export function EventsPage() {
  const [job, setJob] = useUrlState('job');
  const [node, setNode] = useUrlState('node');
  const [kinds, setKinds] = useUrlState('kinds');
  const [follow, setFollow] = useUrlState('follow', 'yes');
  const there = useIsNode(node);
  const narrow = useNarrow();
  const filter = useMemo(() => ({ job: isJob(job) ? job : undefined, node: node || undefined, kinds: kinds ? kinds.split(',') : [] }), [job, node, kinds]);
  const history = useInfiniteQuery({ ...historyQuery(filter, 500), queryKey: ['events', filter], placeholderData: (old) => old, enabled: there });
  useFollow(follow === 'yes', filter);
  const events = useMemo(() => history.data?.pages.flatMap((page) => page.events) ?? [], [history.data]);
  const [opened, toggle] = useOpened();
  const [grouped, setGrouped] = useUrlState('group', 'yes');
  const lines = useMemo(() => (grouped === 'yes' ? linesOf(events, opened) : events.map((event): Line => ({ id: event.id, event }))), [events, opened, grouped]);
  const shown = useMemo(() => (narrow ? narrowColumns : columns)(toggle), [narrow, toggle]);
  const { hasNextPage, isFetching, isError, fetchNextPage } = history;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Page title="Events" actions={<ExportMenu filter={filter} />}>
      <Group align="end" role="search" aria-label="Filter the events">
        <JobField value={job} onChange={setJob} />
        <NodeField value={node} onChange={setNode} />
        <MultiSelect
          label="Kinds"
          placeholder={kinds ? undefined : 'any'}
          data={eventKinds}
          value={filter.kinds}
          onChange={(chosen) => setKinds(chosen.join(','))}
          searchable
          clearable
          w={{ base: '100%', xs: 300 }}
        />
        <Switch label="Group" checked={grouped === 'yes'} onChange={(event) => setGrouped(event.currentTarget.checked ? 'yes' : 'no')} mb={8} />
        <Switch label="Follow" checked={follow === 'yes'} onChange={(event) => setFollow(event.currentTarget.checked ? 'yes' : 'no')} mb={8} />
      </Group>
      {history.error && <ProblemAlert error={history.error} retry={() => void history.refetch()} />}
      {history.isPending && there && !history.error && <Loader aria-label="Loading the events" />}
      {history.data && events.length === 0 && <EmptyState title="No event matches">New events appear here.</EmptyState>}
      {events.length > 0 && (
        <>
          <VirtualTable label="Events" columns={shown} rows={lines} rowKey={(line) => line.id} onEnd={more} height="calc(100vh - 248px)" />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(events.length, 'event')} loaded{history.hasNextPage ? '; scroll for older ones' : ''}
          </Text>
        </>
      )}
    </Page>
  );
}

/** The groups that are open. */
function useOpened(): [Set<string>, (group: string) => void] {
  const [opened, setOpened] = useState(new Set<string>());
  const toggle = useCallback((group: string) => {
    setOpened((old) => {
      const changed = new Set(old);
      if (!changed.delete(group)) changed.add(group);
      return changed;
    });
  }, []);
  return [opened, toggle];
}

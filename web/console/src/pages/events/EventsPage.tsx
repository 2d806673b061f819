import { Group, Loader, MultiSelect, Switch, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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

/** EventsPage lists past events, follows new ones, and exports both as a file. */
export function EventsPage() {
  const [job, setJob] = useUrlState('job');
  const [node, setNode] = useUrlState('node');
  const [kinds, setKinds] = useUrlState('kinds');
  const [follow, setFollow] = useUrlState('follow', 'yes');
  const there = useIsNode(node);
  const narrow = useNarrow();
  const filter = useMemo(() => ({ job: isJob(job) ? job : undefined, node: node || undefined, kinds: kinds ? kinds.split(',') : [] }), [job, node, kinds]);
  const history = useInfiniteQuery({ ...historyQuery(filter), queryKey: ['events', filter], placeholderData: (old) => old, enabled: there });
  useFollow(follow === 'yes', filter);
  const events = useMemo(() => history.data?.pages.flatMap((page) => page.events) ?? [], [history.data]);
  const more = () => {
    if (history.hasNextPage && !history.isFetchingNextPage) void history.fetchNextPage({ cancelRefetch: false });
  };
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
        <Switch label="Follow" checked={follow === 'yes'} onChange={(event) => setFollow(event.currentTarget.checked ? 'yes' : 'no')} mb={8} />
      </Group>
      {history.error && <ProblemAlert error={history.error} retry={() => void history.refetch()} />}
      {history.isPending && there && !history.error && <Loader aria-label="Loading the events" />}
      {history.data && events.length === 0 && <EmptyState title="No event matches">New events appear here.</EmptyState>}
      {events.length > 0 && (
        <>
          <VirtualTable label="Events" columns={narrow ? narrowColumns : columns} rows={events} rowKey={(event) => event.id} onEnd={more} />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(events.length, 'event')} loaded{history.hasNextPage ? '; scroll for older ones' : ''}
          </Text>
        </>
      )}
    </Page>
  );
}

import { Group, Loader, MultiSelect, Switch, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Event } from '../../api/client';
import { historyQuery } from '../../api/history';
import { useEvents } from '../../live/LiveProvider';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useThrottled } from '../../ui/throttle';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { plural } from '../../wording/amounts';
import { eventKinds } from '../../wording/events';
import { eventColumns } from './columns';
import { ExportMenu } from './ExportMenu';

/** EventsPage lists what happened, follows what happens, and hands both out as a file. */
export function EventsPage() {
  const [job, setJob] = useUrlState('job');
  const [node, setNode] = useUrlState('node');
  const [kinds, setKinds] = useUrlState('kinds');
  const [follow, setFollow] = useUrlState('follow', 'yes');
  const filter = useMemo(() => ({ job: job || undefined, node: node || undefined, kinds: kinds ? kinds.split(',') : [] }), [job, node, kinds]);
  const history = useInfiniteQuery({ ...historyQuery(filter), queryKey: ['events', filter], placeholderData: (old) => old });
  useFollow(follow === 'yes', filter);
  const events = useMemo(() => history.data?.pages.flatMap((page) => page.events) ?? [], [history.data]);
  return (
    <Page title="Events" actions={<ExportMenu filter={filter} />}>
      <Group align="end" role="search" aria-label="Filter the events">
        <TextInput label="Job" placeholder="any" w={110} value={job} onChange={(event) => setJob(event.currentTarget.value.trim())} />
        <TextInput label="Node" placeholder="any" w={150} value={node} onChange={(event) => setNode(event.currentTarget.value.trim())} />
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
      {history.error && <ProblemAlert error={history.error} />}
      {history.isPending && !history.error && <Loader aria-label="Loading the events" />}
      {history.data && events.length === 0 && <EmptyState title="No event matches">What happens from now on appears here.</EmptyState>}
      {events.length > 0 && (
        <>
          <VirtualTable
            label="Events"
            columns={eventColumns}
            rows={events}
            rowKey={(event) => event.id}
            onEnd={() => {
              if (history.hasNextPage && !history.isFetchingNextPage) void history.fetchNextPage({ cancelRefetch: false });
            }}
          />
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {plural(events.length, 'event')} loaded{history.hasNextPage ? '; scroll for older ones' : ''}
          </Text>
        </>
      )}
    </Page>
  );
}

interface Filter {
  job?: string;
  node?: string;
  kinds: string[];
}

/** Reads anew when something of the filter happens; what the stream says is what history will answer. */
function useFollow(follow: boolean, filter: Filter) {
  const client = useQueryClient();
  const renew = useThrottled(() => void client.invalidateQueries({ queryKey: ['events', filter] }), 1500);
  useEvents((event) => {
    if (follow && concerns(event, filter)) renew();
  });
}

/** Whether an event is one of those that a filter leaves over. */
export function concerns(event: Event, filter: Filter): boolean {
  if (filter.job && event.job !== filter.job) return false;
  if (filter.node && event.node !== filter.node && event.from !== filter.node) return false;
  return filter.kinds.length === 0 || filter.kinds.includes(event.kind);
}

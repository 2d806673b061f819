import { Anchor, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { historyQuery } from '../../api/history';
import { useEvents } from '../../live/LiveProvider';
import { EventList } from '../../ui/EventList';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useThrottled } from '../../ui/throttle';

const hour = 3600_000;
// Actions of users and important events. Resizes of tasks would hide them.
const kinds = ['job_submitted', 'job_ended', 'job_held', 'node_*', 'move_failed', 'task_lost', 'task_quarantined', 'leader_claimed', 'policy_set', 'replica_diverged', 'backup_imported'];

/** RecentChanges lists the changes of the last hour. */
export function RecentChanges({ now }: { now: string }) {
  const history = useInfiniteQuery(historyQuery({ kinds }, 500));
  const refetch = useThrottled(() => void history.refetch({ cancelRefetch: false }), 2000);
  useEvents((event) => {
    if (kinds.some((kind) => (kind.endsWith('*') ? event.kind.startsWith(kind.slice(0, -1)) : event.kind === kind))) refetch();
  });
  const since = Date.parse(now) - hour;
  const events = history.data?.pages.flatMap((page) => page.events).filter((event) => Date.parse(event.at) >= since);
  return (
    <Panel
      title="The last hour"
      aside={
        <Anchor component={Link} to="/events" size="sm">
          All events
        </Anchor>
      }
    >
      {history.error && <ProblemAlert error={history.error} retry={() => void history.refetch()} />}
      {history.isPending && <Loader size="sm" aria-label="Loading the events" />}
      {events?.length === 0 && <Text size="sm">No important changes.</Text>}
      {events && events.length > 0 && <EventList events={events} most={12} />}
    </Panel>
  );
}

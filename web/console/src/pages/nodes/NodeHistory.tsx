import { Loader } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/history';
import { EventList } from '../../ui/EventList';
import { ProblemAlert } from '../../ui/ProblemAlert';

/** NodeHistory lists the events of a node and of the VMs on it. */
export function NodeHistory({ node }: { node: string }) {
  const history = useInfiniteQuery(historyQuery({ node }));
  if (history.error) return <ProblemAlert error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loader aria-label="Loading the events" />;
  return (
    <EventList
      about={node}
      events={history.data.pages.flatMap((page) => page.events)}
      more={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
      loading={history.isFetchingNextPage}
    />
  );
}

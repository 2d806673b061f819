import { Loader } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/history';
import { EventList } from '../../ui/EventList';
import { ProblemAlert } from '../../ui/ProblemAlert';

/** JobHistory lists every start, pause, resumption and move of a job with its cause. */
export function JobHistory({ job }: { job: string }) {
  const history = useInfiniteQuery(historyQuery({ job }));
  if (history.error) return <ProblemAlert error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loader aria-label="Loading the events" />;
  return (
    <EventList
      about={job}
      events={history.data.pages.flatMap((page) => page.events)}
      more={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
      loading={history.isFetchingNextPage}
    />
  );
}

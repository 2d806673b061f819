import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { offersQuery } from '../../api/offers';
import { reservationsQuery } from '../../api/reservations';
import { standingQuery } from '../../api/standing';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import { Calendar } from './Calendar';
import { columnsOf } from './columns';
import { DeadlineMargin } from './DeadlineMargin';
import { ExpectedStarts } from './ExpectedStarts';
import { Offers } from './Offers';
import { spanOf } from './span';
import { StandingList } from './StandingList';
import { ThetaPanel } from './ThetaPanel';

/** ReservationsPage shows what is promised to jobs, and when. */
export function ReservationsPage() {
  const query = useQuery(reservationsQuery);
  const list = query.data?.reservations;
  const expected = query.data?.expected ?? [];
  const offers = useQuery(offersQuery).data?.offers;
  const standing = useQuery(standingQuery).data?.standing;
  return (
    <Page title="Reservations">
      <Text size="sm">Jobs that reserved an interval are promised their full CPU and memory for it, jobs with a deadline what they lack until then. Until then their nodes work for others.</Text>
      {query.error && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loader aria-label="Loading the reservations" />}
      {list && <Calendar list={list} expected={expected} now={query.dataUpdatedAt} capacity={query.data!.capacity} />}
      {list?.length === 0 && <EmptyState title="Nothing is reserved">Submit a job with a start and a duration to reserve an interval.</EmptyState>}
      {offers && offers.length > 0 && <Offers list={offers} />}
      {standing && standing.length > 0 && <StandingList list={standing} />}
      {expected.length > 0 && <ExpectedStarts list={expected} total={query.data!.expectedTotal} />}
      {list && list.length > 0 && <VirtualTable label="Reservations" columns={columnsOf(spanOf(list, query.dataUpdatedAt))} rows={list} rowKey={(it) => it.job} />}
      {query.data && <DeadlineMargin {...query.data.margin} />}
      <ThetaPanel />
    </Page>
  );
}

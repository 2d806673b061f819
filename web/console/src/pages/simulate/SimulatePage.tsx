import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { simulationsQuery, unfinished } from '../../api/simulations';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { ReportView } from './ReportView';
import { SimulationForm } from './SimulationForm';
import { SimulationTable } from './SimulationTable';

const ofReport = ['policy', 'zoom'];

/** SimulatePage simulates jobs under other policies. */
export function SimulatePage() {
  const may = useMay('user');
  const [chosen, choose] = useUrlState('id', '', ofReport);
  const list = useQuery(simulationsQuery);
  const simulation = list.data?.simulations.find((it) => it.id === chosen);
  return (
    <Page title="Simulate">
      <Text size="sm" maw={760}>
        The code that decides here, run on a stream of jobs and modelled nodes. Simulations run one after the other, with low priority; the cluster is not
        touched.
      </Text>
      {may && (
        <Panel title="A new simulation">
          <SimulationForm onStarted={(it) => choose(it.id)} />
        </Panel>
      )}
      {list.error && <ProblemAlert error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Loader aria-label="Loading the simulations" />}
      {list.data?.simulations.length === 0 && <EmptyState title="Nothing has been simulated yet">Start with the live jobs under other policies.</EmptyState>}
      {list.data && list.data.simulations.length > 0 && (
        <Panel title="Simulations">
          <SimulationTable simulations={list.data.simulations} chosen={chosen} choose={choose} />
        </Panel>
      )}
      {simulation && unfinished(simulation) && <Text role="status">The report of {simulation.name || simulation.id} appears here when it is done.</Text>}
      {list.data && chosen && !simulation && <Text role="status">There is no simulation {chosen} here: it was deleted, or another manager ran it.</Text>}
      {simulation?.state === 'done' && <ReportView key={simulation.id} id={simulation.id} />}
    </Page>
  );
}

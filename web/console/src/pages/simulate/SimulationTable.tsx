import { Group, Progress, Table, Text, UnstyledButton } from '@mantine/core';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMay, useSession } from '../../api/session';
import { cancelSimulation, deleteSimulation, unfinished, type Simulation } from '../../api/simulations';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { WideTable } from '../../ui/WideTable';
import { count, duration, plural } from '../../wording/amounts';

interface Props {
  simulations: Simulation[];
  chosen: string;
  choose: (id: string) => void;
}

/** SimulationTable lists the kept simulations, with the progress of running ones. */
export function SimulationTable({ simulations, chosen, choose }: Props) {
  return (
    <WideTable minWidth={720}>
      <Table aria-label="Simulations" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {['Simulation', 'State', 'Jobs of', 'Policies', 'Asked for', 'By', 'Actions'].map((head) => (
              <Table.Th key={head} ta={head === 'Actions' ? 'end' : undefined}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {simulations.map((simulation) => (
            <Table.Tr key={simulation.id} aria-selected={simulation.id === chosen}>
              <Table.Td>
                <UnstyledButton onClick={() => choose(simulation.id)} td="underline" fz="sm">
                  {nameOf(simulation)}
                </UnstyledButton>
              </Table.Td>
              <Table.Td miw={190}>
                <StateBadge state={simulation.state} />
                <HowFar simulation={simulation} />
              </Table.Td>
              <Table.Td>{simulation.source === 'live' ? 'the live cluster' : `a trace, ${simulation.source}`}</Table.Td>
              <Table.Td>
                <Text size="sm" className="wrap-anywhere">
                  {simulation.policies.join(', ')}
                </Text>
              </Table.Td>
              <Table.Td>
                <Moment at={simulation.created} />
              </Table.Td>
              <Table.Td>{simulation.by}</Table.Td>
              <Table.Td>
                <Group justify="end">
                  <EndButton simulation={simulation} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

/** EndButton cancels or deletes a simulation of the user, or of anybody if the user is an operator. */
function EndButton({ simulation }: { simulation: Simulation }) {
  const client = useQueryClient();
  const { actor } = useSession();
  const user = useMay('user');
  const operator = useMay('operator');
  if (!operator && !(user && simulation.by === actor)) return null;
  const action = unfinished(simulation) ? cancelling(simulation, client) : deleting(simulation, client);
  return <ActionButton key={action.label} action={action} size="compact-sm" aria-label={`${action.label} ${nameOf(simulation)}`} />;
}

const nameOf = (simulation: Simulation) => simulation.name || simulation.id;
const renew = (client: QueryClient) => client.invalidateQueries({ queryKey: ['simulations'] });

const cancelling = (simulation: Simulation, client: QueryClient): Action => ({
  label: 'Cancel',
  run: () => cancelSimulation(simulation.id).then(() => renew(client)),
  done: `The simulation ${nameOf(simulation)} is cancelled`,
});

const deleting = (simulation: Simulation, client: QueryClient): Action => ({
  label: 'Delete',
  run: () => deleteSimulation(simulation.id).then(() => renew(client)),
  done: `The simulation ${nameOf(simulation)} is deleted`,
  confirm: { title: `Delete ${nameOf(simulation)}?`, verb: 'Delete it', body: 'It and its report are deleted; this cannot be undone.' },
});

function HowFar({ simulation }: { simulation: Simulation }) {
  const { progress, error } = simulation;
  if (error) return <Text size="xs">{error}</Text>;
  if (simulation.state !== 'running' || !progress) return null;
  const done = (progress.number - 1 + progress.ended / Math.max(1, progress.jobs)) / simulation.policies.length;
  const text = `${progress.policy}: ${count(progress.ended)} of ${plural(progress.jobs, 'job')}, ${duration(progress.streamSeconds)} of the stream`;
  return (
    <>
      <Progress value={100 * done} size="sm" mt={4} aria-label={`Progress: ${text}`} />
      <Text size="xs">{text}</Text>
    </>
  );
}

import { Button, Group, Progress, Table, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelSimulation, deleteSimulation, unfinished, type Simulation } from '../../api/simulations';
import { Moment } from '../../ui/Moment';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { duration, plural } from '../../wording/amounts';

interface Props {
  simulations: Simulation[];
  chosen: string;
  choose: (id: string) => void;
}

/** SimulationTable lists the simulations that are kept, with how far those that run have come. */
export function SimulationTable({ simulations, chosen, choose }: Props) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: (simulation: Simulation) => (unfinished(simulation) ? cancelSimulation(simulation.id) : deleteSimulation(simulation.id)),
    onSettled: () => client.invalidateQueries({ queryKey: ['simulations'] }),
  });
  return (
    <>
      {end.error && <ProblemAlert error={end.error} />}
      <Table.ScrollContainer minWidth={720}>
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
                    {simulation.name || simulation.id}
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
                    <Button size="compact-sm" variant="default" onClick={() => end.mutate(simulation)} aria-label={`${unfinished(simulation) ? 'Cancel' : 'Delete'} ${simulation.name || simulation.id}`}>
                      {unfinished(simulation) ? 'Cancel' : 'Delete'}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function HowFar({ simulation }: { simulation: Simulation }) {
  const { progress, error } = simulation;
  if (error) return <Text size="xs">{error}</Text>;
  if (simulation.state !== 'running' || !progress) return null;
  const done = (progress.number - 1 + progress.ended / Math.max(1, progress.jobs)) / simulation.policies.length;
  const text = `${progress.policy}: ${progress.ended} of ${plural(progress.jobs, 'job')}, ${duration(progress.streamSeconds)} of the stream`;
  return (
    <>
      <Progress value={100 * done} size="sm" mt={4} aria-label={`Progress: ${text}`} />
      <Text size="xs">{text}</Text>
    </>
  );
}

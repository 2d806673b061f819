import { ScrollArea, Table, Text } from '@mantine/core';
import type { Move, Schemas } from '../api/client';
import { moveSentence } from '../wording/plan';

interface Props {
  moves: Move[];
  blocked: Schemas['BlockedTask'][];
  reasons?: Map<string, string>;
}

/** MoveList lists the moves of a plan in their order, with what each waits for and why, and the tasks that cannot change now. */
export function MoveList({ moves, blocked, reasons }: Props) {
  if (moves.length === 0 && blocked.length === 0) return <Text size="sm">No move is needed.</Text>;
  return (
    <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Moves' }}>
      <Table stickyHeader aria-label="Moves">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">No.</Table.Th>
            <Table.Th scope="col">Move</Table.Th>
            <Table.Th scope="col">After</Table.Th>
            {reasons && <Table.Th scope="col">Because</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {moves.map((move, i) => (
            <Table.Tr key={`${move.job}/${move.task}/${move.kind}`}>
              <Table.Td className="number">{i + 1}</Table.Td>
              <Table.Td>{moveSentence(move)}</Table.Td>
              <Table.Td className="number">{move.after?.map((place) => place + 1).join(', ')}</Table.Td>
              {reasons && <Table.Td>{reasons.get(move.job ?? '')}</Table.Td>}
            </Table.Tr>
          ))}
          {blocked.map((task) => (
            <Table.Tr key={`${task.job}/${task.task}/blocked`}>
              <Table.Td>–</Table.Td>
              <Table.Td>
                task {task.task} of {task.job} cannot change now
              </Table.Td>
              <Table.Td />
              <Table.Td>{task.obstacle}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

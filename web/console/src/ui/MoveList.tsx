import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Move, Schemas } from '../api/client';
import { count } from '../wording/amounts';
import { moveSentence } from '../wording/plan';
import type { Column } from './column';
import { Names } from './Names';
import { VirtualTable } from './VirtualTable';

interface Props {
  moves: Move[];
  blocked: Schemas['BlockedTask'][];
  reasons?: Map<string, string>;
}

/**
 * MoveList lists the moves of a plan with their reasons and the moves that they wait for, and the tasks that cannot
 * change now. Mere changes of shares come last, because they are most of a plan and affect no placement. The numbers
 * show the plan's order.
 */
export function MoveList({ moves, blocked, reasons }: Props) {
  const rows = useMemo(() => {
    const all = moves.map((move, i) => ({ ...moveRow(move, i, reasons), resize: move.kind === 'resize' }));
    return [...all.filter((row) => !row.resize), ...blocked.map(blockedRow), ...all.filter((row) => row.resize)];
  }, [moves, blocked, reasons]);
  if (rows.length === 0) return <Text size="sm">No VM would change.</Text>;
  return <VirtualTable label="Moves" columns={reasons ? columns : columns.filter(({ id }) => id !== 'because')} rows={rows} rowKey={(row) => row.key} height={420} />;
}

interface Row {
  key: string;
  place: string;
  what: string;
  because: string;
  after: number[];
}

const moveRow = (move: Move, i: number, reasons?: Map<string, string>): Row => ({
  key: `${move.job}/${move.task}/${move.kind}`,
  place: count(i + 1),
  what: moveSentence(move),
  because: reasons?.get(move.job ?? '') ?? '',
  after: move.after ?? [],
});

const blockedRow = ({ job, task, obstacle }: Schemas['BlockedTask']): Row => ({
  key: `${job}/${task}/blocked`,
  place: '–',
  what: `task ${task} of ${job} cannot change at present: ${obstacle}`,
  because: '',
  after: [],
});

const columns: Column<Row>[] = [
  { id: 'place', header: 'No.', help: 'Its position in the plan', width: 64, align: 'end', cell: (row) => row.place },
  { id: 'what', header: 'Move', cell: (row) => row.what },
  { id: 'because', header: 'Because', cell: (row) => row.because },
  { id: 'after', header: 'After', help: 'Moves that must end before this one begins', width: 130, cell: after },
];

function after({ place, after }: Row) {
  return <Names names={after.map((first) => count(first + 1))} label={`moves before number ${place}`} />;
}

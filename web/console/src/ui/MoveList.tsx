import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Move, Schemas } from '../api/client';
import { moveSentence } from '../wording/plan';
import type { Column } from './column';
import { VirtualTable } from './VirtualTable';

interface Props {
  moves: Move[];
  blocked: Schemas['BlockedTask'][];
  reasons?: Map<string, string>;
}

/** MoveList lists the moves of a plan in their order, with what each waits for and why, and the tasks that cannot change now. */
export function MoveList({ moves, blocked, reasons }: Props) {
  const rows = useMemo(() => [...moves.map((move, i) => moveRow(move, i, reasons)), ...blocked.map(blockedRow)], [moves, blocked, reasons]);
  if (rows.length === 0) return <Text size="sm">No move is needed.</Text>;
  return <VirtualTable label="Moves" columns={reasons ? columns : columns.slice(0, 3)} rows={rows} rowKey={(row) => row.key} height={420} />;
}

interface Row {
  key: string;
  place: string;
  what: string;
  after: string;
  because: string;
}

const moveRow = (move: Move, i: number, reasons?: Map<string, string>): Row => ({
  key: `${move.job}/${move.task}/${move.kind}`,
  place: String(i + 1),
  what: moveSentence(move),
  after: move.after?.map((place) => place + 1).join(', ') ?? '',
  because: reasons?.get(move.job ?? '') ?? '',
});

const blockedRow = ({ job, task, obstacle }: Schemas['BlockedTask']): Row => ({
  key: `${job}/${task}/blocked`,
  place: '–',
  what: `task ${task} of ${job} cannot change now: ${obstacle}`,
  after: '',
  because: '',
});

const columns: Column<Row>[] = [
  { id: 'place', header: 'No.', width: 56, align: 'end', cell: (row) => row.place },
  { id: 'what', header: 'Move', width: 400, cell: (row) => <span title={row.what}>{row.what}</span> },
  { id: 'after', header: 'After', help: 'The moves that must end before this one begins', width: 80, cell: (row) => <span title={row.after}>{row.after}</span> },
  { id: 'because', header: 'Because', width: 420, cell: (row) => <span title={row.because}>{row.because}</span> },
];

import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MantineProvider } from '@mantine/core';
import { expect, test } from 'vitest';
import type { Move } from '../api/client';
import { MoveList } from './MoveList';

const move = (kind: Move['kind'], task: number, over: Partial<Move> = {}): Move => ({ kind, job: 'j1', task, from: 'n1', to: 'n2', shareMillicores: 400, ...over });

function shown(moves: Move[], reasons?: Map<string, string>) {
  const blocked = [{ job: 'j9', task: 7, obstacle: 'its guest has not started yet' }];
  render(
    <MantineProvider env="test">
      <MoveList moves={moves} blocked={blocked} reasons={reasons} />
    </MantineProvider>,
  );
  const [, ...rows] = within(screen.getByRole('table', { name: 'Moves' })).getAllByRole('row');
  return rows.map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent));
}

test('VMs that go elsewhere come before shares that change, and each keeps its place in the plan', () => {
  const moves = [move('resize', 0), move('migrate', 1, { after: [0, 2] }), move('resize', 2, { from: undefined }), move('pause', 3)];
  expect(shown(moves)).toEqual([
    ['2', 'task 1 of j1 moves from n1 to n2 with 400m', '1 and 3'],
    ['4', 'task 3 of j1 is paused on n1', ''],
    ['–', 'task 7 of j9 cannot change at present: its guest has not started yet', ''],
    ['1', 'task 0 of j1 gets 400m on n2', ''],
    ['3', 'task 2 of j1 gets 400m on n2', ''],
  ]);
});

test('of ten thousand moves few are drawn, with thousands apart', () => {
  const because = 'waits for memory: 1 of 2 VMs of 96 MiB each would fit, and no job of a lower priority could be paused for the other';
  const rows = shown([...Array.from({ length: 10_000 }, (_, i) => move('resize', i)), move('migrate', 10_000, { after: Array.from({ length: 40 }, (_, i) => i) })], new Map([['j1', because]]));
  expect(rows.length).toBeLessThan(60);
  expect(rows[0]).toEqual(['10,001', 'task 10000 of j1 moves from n1 to n2 with 400m', because, '1, 2, 3, 4, 5, 6 and 34 others']);
});

test('of many moves that must end before, the others are unfolded and folded again by the keyboard', async () => {
  const [row] = shown([move('migrate', 0, { after: Array.from({ length: 40 }, (_, i) => i + 1) })]);
  expect(row!.at(-1)).toBe('2, 3, 4, 5, 6, 7 and 34 others');
  const cell = screen.getAllByRole('cell').find((it) => it.textContent === row!.at(-1))!;
  act(() => screen.getByRole('button', { name: '34 others (moves before number 1)', expanded: false }).focus());
  await userEvent.keyboard('{Enter}');
  expect(cell).toHaveTextContent(/^2, 3, .*, 40, 41; fewer$/);
  expect(screen.getByRole('button', { name: 'fewer (moves before number 1)', expanded: true })).toHaveFocus();
  await userEvent.keyboard(' ');
  expect(cell).toHaveTextContent(row!.at(-1)!);
});

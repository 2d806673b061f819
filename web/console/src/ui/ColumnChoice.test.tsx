import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { renderPage } from '../test/render';
import type { Column } from './column';
import { ColumnMenu, useColumnChoice } from './ColumnChoice';

const columns: Column<object>[] = [
  { id: 'id', header: 'Id', cell: () => '' },
  { id: 'name', header: 'Name', cell: () => '' },
  { id: 'more', header: 'More', extra: true, cell: () => '' },
];

function Table() {
  const [shown, choice] = useColumnChoice('test', columns);
  return (
    <>
      <p>{shown.map((column) => column.header).join(' ')}</p>
      <ColumnMenu columns={columns} chosen={choice} />
    </>
  );
}

beforeEach(() => localStorage.clear());

test('the reader chooses the columns, and the browser keeps the choice', async () => {
  renderPage(<Table />);
  expect(screen.getByText('Id Name')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  expect(await screen.findByRole('menuitemcheckbox', { name: 'More' })).not.toBeChecked();
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'More' }));
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Name' }));
  expect(screen.getByText('Id More')).toBeVisible();
  cleanup();
  renderPage(<Table />);
  expect(screen.getByText('Id More')).toBeVisible();
});

test('the usual columns come back', async () => {
  localStorage.setItem('aliquot-columns-test', '[]');
  renderPage(<Table />);
  expect(screen.getByText('Id')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'The usual columns' }));
  expect(screen.getByText('Id Name')).toBeVisible();
});

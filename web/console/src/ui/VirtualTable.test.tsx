import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Column } from './column';
import { VirtualTable } from './VirtualTable';

interface Row {
  name: string;
  words: string;
}

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', width: 100, value: (row) => row.name, cell: (row) => row.name },
  { id: 'words', header: 'Words', cell: (row) => row.words },
];
const rows = (count: number): Row[] => Array.from({ length: count }, (_, i) => ({ name: `row ${String(i).padStart(5, '0')}`, words: 'word '.repeat(i % 90) }));
const shown = () => [...document.querySelectorAll<HTMLElement>('tr[aria-rowindex]')];
/** Returns the height of all rows together, drawn or not. */
const whole = (height: number) => [...document.querySelectorAll<HTMLElement>('tbody tr')].reduce((sum, row) => sum + (row.hasAttribute('aria-rowindex') ? height : parseFloat(row.style.height)), 0);

/** Gives every row the height, which jsdom cannot measure. */
function rowsAre(height: number) {
  vi.spyOn(HTMLTableRowElement.prototype, 'getBoundingClientRect').mockReturnValue({ height } as DOMRect);
}

test('of ten thousand rows few are drawn, and where nothing can be measured a row has its least height', () => {
  render(<VirtualTable label="Things" columns={columns} rows={rows(10_000)} rowKey={(row) => row.name} />);
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  expect(shown().length).toBeGreaterThan(10);
  expect(shown().length).toBeLessThan(60);
  expect(whole(25)).toBe(250_000);
});

test('rows are as high as their words need', () => {
  rowsAre(100);
  render(<VirtualTable label="Things" columns={columns} rows={rows(10_000)} rowKey={(row) => row.name} />);
  expect(shown().length).toBeLessThan(60);
  expect((whole(100) - 250_000) / 75).toBeGreaterThanOrEqual(shown().length);
});

test('a row that was measured keeps its height when it is sorted to another place', () => {
  rowsAre(100);
  const things = rows(1000);
  const table = (sort: string) => <VirtualTable label="Things" columns={columns} rows={things} rowKey={(row) => row.name} sort={sort} />;
  const { rerender } = render(table('name'));
  const before = whole(100);
  rerender(table('-name'));
  expect(shown()[0]).toHaveTextContent('row 00999');
  expect(whole(100)).toBeGreaterThanOrEqual(before + shown().length * 60);
});

test('what is far down is drawn once it is scrolled to', () => {
  rowsAre(100);
  render(<VirtualTable label="Things" columns={columns} rows={rows(10_000)} rowKey={(row) => row.name} />);
  const scroller = screen.getByRole('region', { name: 'Things' });
  scroller.scrollTop = 200_000;
  fireEvent.scroll(scroller);
  expect(Number(shown()[0]!.getAttribute('aria-rowindex'))).toBeGreaterThan(4000);
  expect(shown().length).toBeLessThan(60);
});

test('while it is scrolled, only rows that come into sight are written', () => {
  rowsAre(25);
  const written: string[] = [];
  const counting: Column<Row>[] = [{ id: 'name', header: 'Name', cell: (row) => (written.push(row.name), row.name) }];
  render(<VirtualTable label="Things" columns={counting} rows={rows(10_000)} rowKey={(row) => row.name} />);
  const scroller = screen.getByRole('region', { name: 'Things' });
  expect(written.length).toBe(shown().length);
  for (const top of [40, 200, 640]) {
    scroller.scrollTop = top;
    fireEvent.scroll(scroller);
  }
  expect(written.length).toBe(new Set(written).size);
  expect(written.length).toBeLessThan(60);
});

test('while the end is in sight, more is asked for again once it can be had', () => {
  const few = rows(5);
  const table = (onEnd: () => void) => <VirtualTable label="Things" columns={columns} rows={few} rowKey={(row) => row.name} onEnd={onEnd} />;
  const [busy, free] = [vi.fn(), vi.fn()]; // the first can do nothing, because the list is being read anew
  const { rerender } = render(table(busy));
  expect(busy).toHaveBeenCalledTimes(1);
  rerender(table(free));
  expect(free).toHaveBeenCalledTimes(1);
  rerender(table(free));
  expect(free).toHaveBeenCalledTimes(1);
});

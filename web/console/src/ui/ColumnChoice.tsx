import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Column } from './column';

/** Chosen are the columns that a reader wants to see, by id. */
interface Chosen {
  shown: Set<string>;
  toggle: (id: string) => void;
  /** Undefined: the columns are the usual ones. */
  reset?: () => void;
}

/** Returns the columns of a table that the reader has chosen. This browser keeps the choice. */
export function useColumnChoice<Row>(table: string, columns: Column<Row>[]): [Column<Row>[], Chosen] {
  const [kept, keep, forget] = useLocalStorage<string[] | null>({ key: `aliquot-columns-${table}`, defaultValue: null, getInitialValueInEffect: false });
  const shown = useMemo(() => new Set(Array.isArray(kept) ? kept : columns.filter((column) => !column.extra).map((column) => column.id)), [kept, columns]);
  const toggle = (id: string) => keep([...shown].filter((other) => other !== id).concat(shown.has(id) ? [] : id));
  const visible = useMemo(() => columns.filter((column, i) => i === 0 || shown.has(column.id)), [columns, shown]);
  return [visible, { shown, toggle, reset: kept ? forget : undefined }];
}

/** ColumnMenu chooses the columns of a table. The first one is always shown. */
export function ColumnMenu<Row>({ columns, chosen }: { columns: Column<Row>[]; chosen: Chosen }) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={chosen.shown.has(id)} onChange={() => chosen.toggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
        {chosen.reset && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={chosen.reset}>The usual columns</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

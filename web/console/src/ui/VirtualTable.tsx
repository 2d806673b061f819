import { createSortedRowModel, rowSortingFeature, sortFn_alphanumeric, sortFn_basic, tableFeatures, useTable } from '@tanstack/react-table';
import type { SortingState } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { SortableHeader } from './SortableHeader';
import type { Column } from './column';
import classes from './VirtualTable.module.css';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  /** Undefined: not read yet; such a row is shown empty. */
  rows: (Row | undefined)[];
  rowKey: (row: Row) => string;
  sort?: string;
  onSort?: (sort: string) => void;
  /** The server has sorted the rows. */
  sorted?: boolean;
  onEnd?: () => void;
  /** Called with the rows in sight whenever they change. */
  onSight?: (first: number, last: number) => void;
  height?: number | string;
  rowHeight?: number;
}

/**
 * VirtualTable draws only the rows in sight, so that tens of thousands scroll smoothly. Words wrap and are never cut
 * off; a row is as high as they need, and at least rowHeight.
 */
export function VirtualTable<Row extends object>(props: Props<Row>) {
  const { label, columns, rows, rowKey, sort = '', onSort, rowHeight = 25, height = 'calc(100vh - 260px)' } = props;
  const sorting = useMemo(() => parseSort(sort), [sort]);
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: Row) => column.value?.(row),
        sortUndefined: 'last' as const,
        enableSorting: column.value !== undefined,
      })),
    [columns],
  );
  const table = useTable({ features, columns: definitions, data: rows as Row[], getRowId: (row: Row, i: number) => (row ? rowKey(row) : `#${i}`), state: { sorting }, manualSorting: props.sorted ?? false });
  const ordered = table.getRowModel().rows;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((i: number) => ordered[i]!.id, [ordered]),
    estimateSize: () => rowHeight,
    measureElement: (row) => row.getBoundingClientRect().height || rowHeight,
    overscan: 8,
    initialRect: { width: 1000, height: 600 },
  });
  const visible = virtual.getVirtualItems();
  useEnd(visible.at(-1)?.index, ordered, props.onEnd);
  useSight(visible[0]?.index, visible.at(-1)?.index, props.onSight);
  const before = visible[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (visible.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={classes.scroller} style={{ maxHeight: height }} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table} style={{ minWidth: leastWidth(columns) }} aria-rowcount={ordered.length + 1} aria-label={label}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortableHeader key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
          {visible.map(({ index }) => (
            <Line key={ordered[index]!.id} row={ordered[index]!.original} index={index} columns={columns} height={rowHeight} measure={virtual.measureElement} />
          ))}
          {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps<Row> {
  row: Row | undefined;
  index: number;
  columns: Column<Row>[];
  height: number;
  measure: (element: HTMLElement | null) => void;
}

/** A row is rendered again when it changes, but not when other rows come into sight. */
const Line = memo(function Line<Row>({ row, index, columns, height, measure }: LineProps<Row>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} aria-busy={!row || undefined} style={{ height }} className={classes.row}>
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} className={classes.cell}>
          {row && column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: LineProps<Row> & { key: string }) => React.ReactNode;

/** Asks for more when the last loaded row comes into sight, and again while it is there: for new rows, or a new onEnd. */
function useEnd(last: number | undefined, rows: unknown[], onEnd?: () => void) {
  const near = last !== undefined && last >= rows.length - 20;
  useEffect(() => {
    if (near) onEnd?.();
  }, [near, rows, onEnd]);
}

function useSight(first: number | undefined, last: number | undefined, onSight?: (first: number, last: number) => void) {
  useEffect(() => {
    if (first !== undefined && last !== undefined) onSight?.(first, last);
  }, [first, last, onSight]);
}

const narrowest = 140; // least width of a column that takes the remaining space

function leastWidth<Row>(columns: Column<Row>[]): number {
  return columns.reduce((sum, { width = narrowest }) => sum + width, 0);
}

function parseSort(sort: string): SortingState {
  if (!sort) return [];
  const desc = sort.startsWith('-');
  return [{ id: desc ? sort.slice(1) : sort, desc }];
}

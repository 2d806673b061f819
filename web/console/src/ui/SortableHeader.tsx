import { Tooltip, UnstyledButton } from '@mantine/core';
import { Explained } from './Explained';
import type { Column } from './column';
import classes from './VirtualTable.module.css';

interface Props<Row> {
  column: Column<Row>;
  sort: string;
  onSort?: (sort: string) => void;
}

/**
 * SortableHeader is the header of a column. Pressing it sorts in descending order, then in ascending order, then not at
 * all.
 */
export function SortableHeader<Row>({ column, sort, onSort }: Props<Row>) {
  const direction = sort === column.id ? 'ascending' : sort === '-' + column.id ? 'descending' : undefined;
  const next = direction === undefined ? '-' + column.id : direction === 'descending' ? column.id : '';
  const sortable = onSort && column.value;
  return (
    <th scope="col" aria-sort={sortable ? (direction ?? 'none') : undefined} data-align={column.align} className={classes.header}>
      {sortable ? (
        <Tooltip label={column.help} disabled={!column.help} events={{ hover: true, focus: true, touch: true }}>
          <UnstyledButton className={classes.sort} data-explained={column.help !== undefined || undefined} onClick={() => onSort(next)}>
            {column.header}
            {direction && (
              <span aria-hidden="true" className={classes.arrow}>
                {direction === 'ascending' ? ' ▲' : ' ▼'}
              </span>
            )}
          </UnstyledButton>
        </Tooltip>
      ) : (
        (column.head ?? <Explained help={column.help}>{column.header}</Explained>)
      )}
    </th>
  );
}

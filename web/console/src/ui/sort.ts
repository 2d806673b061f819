import type { Column } from './column';
import { useUrlState } from './url';

/**
 * The order of a table, kept in the address: a column, with a minus before it for descending order. Unknown columns are
 * ignored.
 */
export function useSort<Row>(columns: Column<Row>[], otherwise = '', name = 'sort'): [string, (sort: string) => void] {
  const [sort, setSort] = useUrlState(name, otherwise);
  const known = sort === '' || columns.some((column) => column.value && column.id === sort.replace(/^-/, ''));
  return [known ? sort : otherwise, setSort];
}

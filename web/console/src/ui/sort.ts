import type { Column } from './column';
import { useUrlState } from './url';

/** The order of a table that lives in the address: a column, downwards with a minus before it. What is no column's is passed over. */
export function useSort<Row>(columns: Column<Row>[], otherwise = '', name = 'sort'): [string, (sort: string) => void] {
  const [sort, setSort] = useUrlState(name, otherwise);
  const known = sort === '' || columns.some((column) => column.value && column.id === sort.replace(/^-/, ''));
  return [known ? sort : otherwise, setSort];
}

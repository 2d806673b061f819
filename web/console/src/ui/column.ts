import type { ReactNode } from 'react';

/** Column of a table. */
export interface Column<Row> {
  id: string;
  header: string;
  /** What the header's words mean, for those who point at it. */
  help?: string;
  /** Its width in pixels; left out: what remains. */
  width?: number;
  align?: 'end';
  /** What it is sorted by; left out: it cannot be sorted. */
  value?: (row: Row) => string | number | undefined;
  cell: (row: Row) => ReactNode;
}

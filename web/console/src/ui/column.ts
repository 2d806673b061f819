import type { ReactNode } from 'react';

/** The widths of columns that hold a moment in any zone: short, or with date and seconds. */
export const momentWidth = { short: 226, full: 256 };

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

import type { ReactNode } from 'react';

/** Widths of columns that hold a time in any zone: brief, short, or with date and seconds. */
export const momentWidth = { brief: 146, short: 226, full: 256 };

/** Column of a table. */
export interface Column<Row> {
  id: string;
  header: string;
  /** Shown instead of the header's text. */
  head?: ReactNode;
  /** Explanation of the header, shown on hover and focus. */
  help?: string;
  /** Hidden until the reader chooses it. */
  extra?: boolean;
  /** Width in pixels; left out: the remaining space. */
  width?: number;
  align?: 'end';
  /** The sort key; left out: the column cannot be sorted. */
  value?: (row: Row) => string | number | undefined;
  cell: (row: Row) => ReactNode;
}

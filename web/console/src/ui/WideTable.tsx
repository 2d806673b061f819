import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table that scrolls sideways, also by keyboard, if the page is narrower than the table's least width in pixels. */
export function WideTable({ minWidth, children }: { minWidth: number; children: ReactNode }) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      {children}
    </Table.ScrollContainer>
  );
}

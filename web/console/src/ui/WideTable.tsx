import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table that is scrolled sideways, by keyboard too, where less than its least width in pixels is there. */
export function WideTable({ minWidth, children }: { minWidth: number; children: ReactNode }) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      {children}
    </Table.ScrollContainer>
  );
}

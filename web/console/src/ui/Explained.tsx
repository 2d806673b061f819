import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Explained.module.css';

/** Explained is a term with its explanation, which hovering, touching or focusing it shows. */
export function Explained({ help, children }: { help: string | undefined; children: ReactNode }) {
  if (!help) return <>{children}</>;
  return (
    <Tooltip label={help} events={{ hover: true, focus: true, touch: true }}>
      <span className={classes.term} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}

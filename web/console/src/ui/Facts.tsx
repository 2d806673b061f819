import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Explained } from './Explained';
import classes from './Facts.module.css';

/** Fact is a name with its value. */
export interface Fact {
  name: string;
  help?: string;
  value: ReactNode;
}

/** Facts lists names and values. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <Text component="dt" size="xs" c="var(--aliquot-quiet)">
            <Explained help={fact.help}>{fact.name}</Explained>
          </Text>
          <Text component="dd" size="sm" m={0} className="wrap-anywhere">
            {fact.value}
          </Text>
        </div>
      ))}
    </dl>
  );
}

import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, type ComponentProps } from 'react';
import classes from './Chart.module.css';

const Chart = lazy(() => import('./Chart'));

/** LazyChart is a Chart under its title, whose code is loaded when the first one is shown. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  return (
    <figure className={classes.figure}>
      <Text component="figcaption" size="sm" fw={600}>
        {props.label}
      </Text>
      <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
        <Chart {...props} />
      </Suspense>
    </figure>
  );
}

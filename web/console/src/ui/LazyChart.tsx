import { Skeleton } from '@mantine/core';
import { lazy, Suspense, type ComponentProps } from 'react';

const Chart = lazy(() => import('./Chart'));

/** LazyChart is a Chart whose code is loaded when the first one is shown. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
      <Chart {...props} />
    </Suspense>
  );
}

import { Grid, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { clusterSeriesQuery, sum, timesOf } from '../../api/series';
import { roundBytes } from '../../ui/axis';
import { LazyChart } from '../../ui/LazyChart';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { RangeSelect, useRange } from '../../ui/RangeSelect';
import { bytes, count, cpu, yieldText } from '../../wording/amounts';

/** OverTime draws yields, demand against capacity, and jobs over the last hours. */
export function OverTime() {
  const series = useQuery(clusterSeriesQuery(useRange()));
  return (
    <Panel title="Over time" aside={<RangeSelect />}>
      {series.error && <ProblemAlert error={series.error} retry={() => void series.refetch()} />}
      {series.isPending && !series.error && <Loader size="sm" aria-label="Loading the series" />}
      {series.data && series.data.yieldLeast.length === 0 && <Text size="sm">The first values appear about a minute after the manager has started.</Text>}
      {series.data && series.data.yieldLeast.length > 0 && <Charts series={series.data} />}
    </Panel>
  );
}

function Charts({ series }: { series: Schemas['ClusterSeries'] }) {
  const times = timesOf(series);
  return (
    <Stack gap="xs">
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <LazyChart
            label="Yields over time"
            times={times}
            series={[
              { label: 'Least yield', values: series.yieldLeast, fill: true },
              { label: 'Mean yield', values: series.yieldMean, dashed: true },
            ]}
            words={yieldText}
            max={1.05}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <LazyChart
            label="CPU over time"
            times={times}
            series={[
              { label: 'Needed', values: sum(series.needMillicores, series.waitingMillicores) },
              { label: 'Capacity', values: series.capacityMillicores, dashed: true },
              { label: 'Granted, with the background', values: series.shareMillicores },
              { label: 'Used', values: series.usedMillicores, dashed: true },
            ]}
            words={cpu}
            least={10}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <LazyChart
            label="Memory over time"
            times={times}
            series={[
              { label: 'Charged', values: series.memoryReservedBytes, fill: true },
              { label: 'Capacity', values: series.memoryCapacityBytes, dashed: true },
            ]}
            words={bytes}
            steps={roundBytes}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <LazyChart
            label="Jobs over time"
            times={times}
            series={[
              { label: 'With a share', values: series.jobsHolding, fill: true },
              { label: 'Without a share', values: series.jobsWaiting },
              { label: 'Held', values: series.jobsHeld, dashed: true },
            ]}
            words={count}
            least={5}
          />
        </Grid.Col>
      </Grid>
      <Text size="xs" c="var(--aliquot-quiet)">
        A value is the mean of {series.stepSeconds / 60} min; nothing is drawn where nothing is known, as while no manager led.
      </Text>
    </Stack>
  );
}

import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodeSeriesQuery, timesOf } from '../../api/series';
import { roundBytes } from '../../ui/axis';
import { LazyChart } from '../../ui/LazyChart';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { RangeSelect, useRange } from '../../ui/RangeSelect';
import { bytes, cpu } from '../../wording/amounts';

/** NodeOverTime draws a node's CPU and memory over the last hours. */
export function NodeOverTime({ node }: { node: string }) {
  const series = useQuery(nodeSeriesQuery(node, useRange()));
  if (series.error) return <ProblemAlert error={series.error} retry={() => void series.refetch()} />;
  if (!series.data) return <Loader aria-label="Loading the series" />;
  const times = timesOf(series.data);
  return (
    <Stack>
      <Group justify="end">
        <RangeSelect />
      </Group>
      {times.length === 0 && <Text size="sm">The first values appear about a minute after the manager has started.</Text>}
      {times.length > 0 && (
        <>
          <LazyChart
            label={`CPU of ${node} over time`}
            times={times}
            series={[
              { label: 'Needed', values: series.data.needMillicores },
              { label: 'Capacity', values: series.data.capacityMillicores, dashed: true },
              { label: 'Granted, with the background', values: series.data.shareMillicores },
              { label: 'Used', values: series.data.usedMillicores, dashed: true },
            ]}
            words={cpu}
            least={10}
          />
          <LazyChart
            label={`Memory of ${node} over time`}
            times={times}
            series={[{ label: 'Memory charged', values: series.data.memoryReservedBytes, fill: true }]}
            words={bytes}
            steps={roundBytes}
          />
        </>
      )}
    </Stack>
  );
}

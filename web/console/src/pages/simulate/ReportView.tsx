import { Loader, SegmentedControl, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, memo, Suspense, useMemo } from 'react';
import { reportQuery, type SimulationReport, type SimulationRun } from '../../api/simulations';
import { roundDurations } from '../../ui/axis';
import { useNarrow } from '../../ui/narrow';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { WideTable } from '../../ui/WideTable';
import { count, duration, plural } from '../../wording/amounts';
import type { Bar, RowsBy } from '../../ui/gantt/bars';
import { Gantt } from '../../ui/gantt/Gantt';
import type { Range } from '../../ui/gantt/range';
import { MoveBars } from './MoveBars';
import { aligned, lasts, simulatedRows } from './simulated';

const Plot = lazy(() => import('./Plot'));

/** ReportView compares the results of a simulation under each of its policies. */
export function ReportView({ id }: { id: string }) {
  const report = useQuery(reportQuery(id));
  if (report.error) return <ProblemAlert error={report.error} retry={() => void report.refetch()} />;
  if (!report.data) return <Loader aria-label="Loading the report" />;
  return (
    <Stack>
      <Panel title="Measures">
        <Measures runs={report.data.runs} />
      </Panel>
      <Plots runs={report.data.runs} />
      <Panel title="Moves">
        <MoveBars runs={report.data.runs} words={amount} />
      </Panel>
      <Panel title="Timeline">
        <SimulatedTimeline report={report.data} />
      </Panel>
    </Stack>
  );
}

const amount = (value: number) => count(Number.isInteger(value) ? value : Number(value.toPrecision(4)));
const fraction = (value: number) => value.toFixed(2);

function Measures({ runs }: { runs: SimulationRun[] }) {
  const names = runs[0]?.measures ?? [];
  return (
    <WideTable minWidth={500}>
      <Table aria-label="Measures by policy" striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Measure</Table.Th>
            {runs.map((run) => (
              <Table.Th key={run.policy} ta="end" className="wrap-anywhere">
                {run.policy}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td>jobs that have ended</Table.Td>
            {runs.map((run) => (
              <Table.Td key={run.policy} ta="end">
                {amount(run.jobs)}
                {run.skipped.length > 0 && `, ${count(run.skipped.length)} could never run`}
              </Table.Td>
            ))}
          </Table.Tr>
          {names.map(({ name, title }) => (
            <Table.Tr key={name}>
              <Table.Td>{title}</Table.Td>
              {runs.map((run) => {
                const measure = run.measures.find((it) => it.name === name);
                return (
                  <Table.Td key={run.policy} ta="end" className="number">
                    {measure ? amount(measure.value) : '–'}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

const percents = Array.from({ length: 101 }, (_, i) => i);

/** Memoised, because rendering a plot anew builds it anew. */
const Plots = memo(({ runs }: { runs: SimulationRun[] }) => {
  const plots = useMemo(() => {
    const course = (title: string, pick: (run: SimulationRun) => (number | null)[], words = fraction, max?: number) => {
      const { x, values } = aligned(runs, pick);
      return { title, label: title, x, words, max, xWords: duration, xSteps: roundDurations, curves: runs.map((run, i) => ({ label: run.policy, values: values[i]! })) };
    };
    return [
      {
        title: 'Bounded stretch', label: 'Bounded stretch by percentile of jobs', x: percents, words: amount, logarithmic: true,
        xWords: (value: number) => `${value} %`,
        curves: runs.filter((run) => run.stretches.length > 0).map((run) => ({ label: run.policy, values: run.stretches as (number | null)[] })),
      },
      course('Least yield', (run) => run.course.yieldLeast, fraction, 1),
      course('Mean yield', (run) => run.course.yieldMean, fraction, 1),
      course('Utilization', (run) => run.course.utilization, fraction, 1),
      course('Placed jobs', (run) => run.course.jobsHolding, amount),
      course('Waiting jobs', (run) => run.course.jobsWaiting, amount),
    ];
  }, [runs]);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {plots.map(({ title, ...plot }) => (
        <Panel key={title} title={title}>
          <Suspense fallback={<Skeleton height={240} />}>
            <Plot {...plot} />
          </Suspense>
        </Panel>
      ))}
    </SimpleGrid>
  );
});

function SimulatedTimeline({ report }: { report: SimulationReport }) {
  const narrow = useNarrow();
  const [policy, setPolicy] = useUrlState('policy', report.runs[0]?.policy ?? '');
  const [by, setBy] = useUrlState('rows', 'nodes');
  const run = report.runs.find((it) => it.policy === policy) ?? report.runs[0];
  const rows = useMemo(() => (run ? simulatedRows(report, run, by as RowsBy) : []), [report, run, by]);
  const whole = useMemo(() => ({ from: 0, to: run ? lasts(run) : 1000 }), [run]);
  const [zoom, setZoom] = useUrlState('zoom');
  if (!run) return null;
  return (
    <Stack gap="sm">
      <SegmentedControl aria-label="Policy" orientation={narrow ? 'vertical' : 'horizontal'} data={report.runs.map((it) => it.policy)} value={run.policy} onChange={setPolicy} />
      <SegmentedControl aria-label="Rows" data={[{ value: 'nodes', label: 'By node' }, { value: 'jobs', label: 'By job' }]} value={by} onChange={setBy} w="fit-content" />
      <Text size="sm" c="var(--aliquot-quiet)" role="status">
        {plural(run.spans.length, 'span')}
        {!run.complete && '; there were more, these are the first that ended'}
      </Text>
      <Gantt
        label={`Simulated timeline under ${run.policy}`}
        rows={rows}
        whole={whole}
        bounded
        part={rangeOf(zoom)}
        onPart={(part) => setZoom(part ? `${part.from}-${part.to}` : '')}
        moment={(time) => duration(time / 1000)}
        describe={describe}
      />
    </Stack>
  );
}

/** Returns the part of the timeline that the address selects, in milliseconds: "60000-90000". */
function rangeOf(zoom: string): Range | undefined {
  const [, from, to] = /^(-?\d+)-(-?\d+)$/.exec(zoom)?.map(Number) ?? [];
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

function describe({ span, from, to }: Bar): string {
  const yields = span.needMillicores ? `, yield ${(span.shareMillicores / span.needMillicores).toFixed(2)}` : '';
  const what = span.state === 'moving' ? 'stands still after it was rescheduled' : 'runs';
  return `${span.job}, task ${span.task}: ${what} on ${span.node} with ${(span.shareMillicores / 10).toFixed(1)} % of it${yields}, from ${duration(from / 1000)} to ${duration(to / 1000)}`;
}

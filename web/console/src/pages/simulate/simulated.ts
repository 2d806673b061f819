import type { SimulationReport, SimulationRun } from '../../api/simulations';
import type { Span } from '../../api/spans';
import { rowsOf, type Row, type RowsBy } from '../../ui/gantt/bars';

const whole = 1000; // millicores that represent a node in the chart, because shares are fractions

/**
 * Returns the rows of a simulated timeline. Its times count from the beginning of the stream, and a node counts as one
 * core.
 */
export function simulatedRows(report: SimulationReport, run: SimulationRun, by: RowsBy): Row[] {
  const spans = run.spans.flatMap((span): Span[] =>
    span.nodes.map((node, task) => ({
      job: `j${span.job}`,
      task,
      node: report.nodes[node] ?? `${node}`,
      state: span.paying ? 'moving' : 'running',
      shareMillicores: span.share * whole,
      needMillicores: span.yield > 0 ? (span.share * whole) / span.yield : undefined,
      from: new Date(span.fromSeconds * 1000).toISOString(),
      to: new Date(span.toSeconds * 1000).toISOString(),
      began: 'simulated',
    })),
  );
  return rowsOf(spans, by, new Map(report.nodes.map((name) => [name, whole])), lasts(run));
}

/** Returns how long the stream lasted under the policy, in milliseconds. */
export function lasts(run: SimulationRun): number {
  return 1000 * run.spans.reduce((end, span) => Math.max(end, span.toSeconds), 1);
}

/** Puts lists with one entry per step on the axis of the longest. */
export function aligned(runs: SimulationRun[], pick: (run: SimulationRun) => (number | null)[]): { x: number[]; values: (number | null)[][] } {
  const step = Math.max(...runs.map((run) => run.course.stepSeconds));
  const thinned = runs.map((run) => {
    const every = Math.max(1, Math.round(step / run.course.stepSeconds));
    return pick(run).filter((_, i) => i % every === 0);
  });
  const length = Math.max(...thinned.map((list) => list.length));
  return {
    x: Array.from({ length }, (_, i) => i * step),
    values: thinned.map((list) => Array.from({ length }, (_, i) => list[i] ?? null)),
  };
}

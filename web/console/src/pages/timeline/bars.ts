import type { Schemas } from '../../api/client';

export type Span = Schemas['Span'];

/** Bar is a span as it is drawn: where in its row, and how thick. Times are in milliseconds, amounts in millicores. */
export interface Bar {
  span: Span;
  from: number;
  to: number;
  lasts: boolean;
  /** From the row's bottom. */
  offset: number;
  thickness: number;
}

/** Row is one line of the timeline: a node, or a job. */
export interface Row {
  id: string;
  bars: Bar[];
  /** What the row's whole height stands for, in millicores. */
  whole: number;
}

/** By what the timeline has its rows. */
export type RowsBy = 'nodes' | 'jobs';

/** What is not on a node is this part of the row thick: a line that says since when. */
const thin = 0.12;

/** Makes rows of spans, each bar as thick as its share. A node's row is as high as the node's CPU, a job's as all its tasks' need. */
export function rowsOf(spans: Span[], by: RowsBy, capacity: Map<string, number>, now: number): Row[] {
  const groups = new Map<string, Span[]>();
  if (by === 'nodes') for (const node of capacity.keys()) groups.set(node, []);
  for (const span of spans) {
    const id = by === 'nodes' ? span.node : span.job;
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(span);
    else groups.set(id, [span]);
  }
  return [...groups].map(([id, list]) => row(id, list, by === 'nodes' ? capacity.get(id) : needed(list), now)).sort((a, b) => compareIds(a.id, b.id));
}

function needed(spans: Span[]): number {
  const tasks = new Map(spans.map((span) => [span.task ?? 0, span.needMillicores ?? span.shareMillicores]));
  return [...tasks.values()].reduce((sum, need) => sum + need, 0);
}

/** Stacks the spans of a row: each where it was before, or else as low as there is room while it lasts. */
function row(id: string, spans: Span[], capacity: number | undefined, now: number): Row {
  const ordered = spans.map((span) => ({ span, from: Date.parse(span.from), to: span.to ? Date.parse(span.to) : now })).sort((a, b) => a.from - b.from || compareTasks(a.span, b.span));
  const guess = Math.max(capacity ?? 0, 1);
  const bars: Bar[] = [];
  let active: Bar[] = [];
  const homes = new Map<string, number>();
  for (const { span, from, to } of ordered) {
    active = active.filter((bar) => bar.to > from);
    const thickness = span.node === undefined ? guess * thin : Math.max(span.shareMillicores, guess * 0.01);
    const key = taskKey(span);
    const offset = lowest(active, thickness, homes.get(key));
    const bar = { span, from, to: Math.max(to, from), lasts: span.to === undefined, offset, thickness };
    homes.set(key, offset);
    active.push(bar);
    bars.push(bar);
  }
  return { id, bars, whole: bars.reduce((most, bar) => Math.max(most, bar.offset + bar.thickness), guess) };
}

function lowest(active: Bar[], thickness: number, home: number | undefined): number {
  const free = (offset: number) => active.every((bar) => offset + thickness <= bar.offset || offset >= bar.offset + bar.thickness);
  if (home !== undefined && free(home)) return home;
  const candidates = [0, ...active.map((bar) => bar.offset + bar.thickness)].sort((a, b) => a - b);
  return candidates.find(free) ?? 0;
}

export const taskKey = (span: Span) => `${span.job}/${span.task ?? ''}`;

function compareTasks(a: Span, b: Span): number {
  return compareIds(a.job, b.job) || (a.task ?? -1) - (b.task ?? -1);
}

const collator = new Intl.Collator('en', { numeric: true });

export const compareIds = (a: string, b: string) => collator.compare(a, b);

/** The bar at a time and a height of the row, the last drawn first. */
export function barAt(row: Row, time: number, height: number): Bar | undefined {
  return row.bars.findLast((bar) => bar.from <= time && time <= bar.to && bar.offset <= height && height <= bar.offset + bar.thickness);
}

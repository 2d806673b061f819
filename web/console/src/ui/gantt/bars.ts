import type { Span } from '../../api/spans';
import { compareNames } from '../../wording/order';
import { Room } from './room';

/**
 * Bar is a span as drawn: its position in the row and its thickness. Times are in milliseconds, amounts in millicores.
 */
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
  /** The amount that the row's whole height represents, in millicores. */
  whole: number;
}

/** The subject of the timeline's rows. */
export type RowsBy = 'nodes' | 'jobs';

/** Thickness of a span without a node, as a part of the row or of the task's part of it: a thin line. */
const thin = 0.12;

/**
 * Greatest thickness of the spans in the background, as a part of the row or of the task's part of it: they are promised
 * no CPU. In a node's row it is that of all background spans of one time together.
 */
const slim = 0.2;

/** Least thickness of a span on a node, as a part of the row. */
const least = 0.01;

/**
 * Makes rows of spans. A bar in the foreground is as thick as its share, one in the background at most slim. A node's row
 * is as high as the node's CPU, and higher where its bars need more; a job's row is as high as the need of all its tasks.
 */
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
  const rows = [...groups].map(([id, list]) => (by === 'nodes' ? row(id, list, capacity.get(id) ?? 0, now) : row(id, list, needed(list), now, needOf)));
  return rows.sort((a, b) => compareNames(a.id, b.id));
}

function needed(spans: Span[]): number {
  const tasks = new Map(spans.map((span) => [span.task ?? 0, span.needMillicores ?? span.shareMillicores]));
  return [...tasks.values()].reduce((sum, need) => sum + need, 0);
}

/** The amount that a task's part of its job's row represents; undefined: the span is of the whole job. */
const needOf = (span: Span) => (span.task === undefined ? undefined : span.needMillicores);

/** Stacks the spans of a row: each at its task's earlier position if that is free, or else as low as there is room. */
function row(id: string, spans: Span[], capacity: number, now: number, part: (span: Span) => number | undefined = () => undefined): Row {
  const guess = Math.max(capacity, 1);
  const below = guess / mostAtOnce(spans.filter((span) => span.tier && part(span) === undefined), now);
  const bars = spans.map((span) => bar(span, part(span) ?? (span.tier ? below : guess), now)).sort((a, b) => a.from - b.from || compareTasks(a.span, b.span));
  const ends = bars.filter((it) => it.to > it.from).sort((a, b) => a.to - b.to);
  const homes = new Map<string, number>();
  const room = new Room();
  let ended = 0;
  for (const it of bars) {
    for (; ends[ended] && ends[ended]!.to <= it.from; ended++) room.give(ends[ended]!.offset, ends[ended]!.thickness);
    const key = taskKey(it.span);
    it.offset = room.take(it.thickness, homes.get(key));
    if (it.to === it.from) room.give(it.offset, it.thickness);
    homes.set(key, it.offset);
  }
  return { id, bars, whole: bars.reduce((most, it) => Math.max(most, it.offset + it.thickness), guess) };
}

/** Returns the greatest number of the spans that there are at one time, at least 1. */
function mostAtOnce(spans: Span[], now: number): number {
  const changes = spans.map((span) => times(span, now)).flatMap(({ from, to }): [number, number][] => [[from, 1], [to, -1]]);
  changes.sort(([a, up], [b, down]) => a - b || up - down);
  let count = 0;
  return changes.reduce((most, [, by]) => Math.max(most, (count += by)), 1);
}

/** Returns when the span began, and when it ended or what it lasts until. */
function times(span: Span, now: number) {
  const from = Date.parse(span.from);
  return { from, to: Math.max(from, span.to ? Date.parse(span.to) : now) };
}

function bar(span: Span, whole: number, now: number): Bar {
  const { from, to } = times(span, now);
  return { span, from, to, lasts: span.to === undefined, offset: 0, thickness: exact(thicknessOf(span, whole)) };
}

function thicknessOf(span: Span, whole: number): number {
  if (span.node === undefined) return whole * thin;
  const share = Math.max(span.shareMillicores, whole * least);
  return span.tier ? Math.min(share, whole * slim) : share;
}

/** Rounds to a fraction whose sums have no rounding error, above 0. */
const exact = (amount: number) => Math.max(1, Math.round(amount * 1024)) / 1024;

export const taskKey = (span: Span) => `${span.job}/${span.task ?? ''}`;

function compareTasks(a: Span, b: Span): number {
  return compareNames(a.job, b.job) || (a.task ?? -1) - (b.task ?? -1);
}

/** Returns the bar at a time and a height of the row; if several overlap, the last drawn one. */
export function barAt(row: Row, time: number, height: number): Bar | undefined {
  return row.bars.findLast((bar) => bar.from <= time && time <= bar.to && bar.offset <= height && height <= bar.offset + bar.thickness);
}

import { inkOn, jobColour } from '../palette';
import { fillOf } from './fill';
import { stripes } from '../stripes';
import type { Span } from '../../api/spans';
import type { Bar, Row } from './bars';
import type { Range } from './range';

/** Layout is the positions on the canvas, in pixels. */
export interface Layout {
  width: number;
  height: number;
  rowHeight: number;
  /** Top of the first visible row, negative if part of it is hidden. */
  top: number;
  range: Range;
}

export interface Ink {
  ground: string;
  line: string;
  frame: string;
  stripe: string;
}

export const inks: Record<'light' | 'dark', Ink> = {
  light: { ground: '#eef2f5', line: '#d3dae0', frame: '#1b2126', stripe: 'rgba(255, 255, 255, 0.6)' },
  dark: { ground: '#23282d', line: '#3a4148', frame: '#e4e8eb', stripe: 'rgba(0, 0, 0, 0.55)' },
};

/** Returns the pixel of a time. */
export const xOf = (time: number, { range, width }: Layout) => ((time - range.from) / (range.to - range.from)) * width;

/** Returns the time of a pixel. */
export const timeOf = (x: number, { range, width }: Layout) => range.from + (x / width) * (range.to - range.from);

const gap = 4;

/** Returns the position of a bar in its row, from the canvas' top. */
export function barBox(bar: Bar, row: Row, rowTop: number, rowHeight: number) {
  const scale = (rowHeight - gap) / row.whole;
  const height = Math.max(1, bar.thickness * scale);
  return { y: rowTop + rowHeight - gap / 2 - bar.offset * scale - height, height };
}

/** Draws the visible rows, the axis' lines, and the chosen bar. */
export function paint(to: CanvasRenderingContext2D, rows: Row[], layout: Layout, marks: number[], chosen: Bar | undefined, ink: Ink) {
  to.clearRect(0, 0, layout.width, layout.height);
  to.fillStyle = ink.ground;
  rows.forEach((_, i) => to.fillRect(0, layout.top + i * layout.rowHeight + gap / 2, layout.width, layout.rowHeight - gap));
  to.fillStyle = ink.line;
  for (const mark of marks) to.fillRect(Math.round(xOf(mark, layout)), 0, 1, layout.height);
  rows.forEach((row, i) => {
    for (const bar of row.bars) if (bar.to >= layout.range.from && bar.from <= layout.range.to) paintBar(to, bar, row, layout.top + i * layout.rowHeight, layout, bar === chosen, ink);
  });
}

function paintBar(to: CanvasRenderingContext2D, bar: Bar, row: Row, top: number, layout: Layout, chosen: boolean, ink: Ink) {
  const left = Math.max(-2, xOf(bar.from, layout));
  const right = Math.min(layout.width + 2, xOf(bar.to, layout));
  const width = Math.max(1, right - left);
  const { y, height } = barBox(bar, row, top, layout.rowHeight);
  to.fillStyle = fillOf(to, bar.span.job);
  const promised = bar.span.state === 'promised';
  to.globalAlpha = promised ? 0.35 : bar.span.node === undefined ? 0.45 : 1;
  to.fillRect(left, y, width > 3 ? width - 0.7 : width, height > 3 ? height - 0.7 : height);
  to.globalAlpha = 1;
  if (bar.span.tier || promised) dashed(to, left, y, width, height, ink.frame);
  if (striped.has(bar.span.state)) stripes(to, left, y, width, height, ink.stripe, [2, 3]);
  if (height >= letterHeight && bar.span.node !== undefined) paintName(to, bar.span, Math.max(0, left), Math.min(right, layout.width), y + height / 2);
  if (chosen) {
    to.strokeStyle = ink.frame;
    to.lineWidth = 2;
    to.strokeRect(left, y, width, height);
  }
}

/** Frames a bar that is not of the foreground of now. */
function dashed(to: CanvasRenderingContext2D, left: number, top: number, width: number, height: number, colour: string) {
  to.strokeStyle = colour;
  to.lineWidth = 1;
  to.setLineDash([3, 2]);
  to.strokeRect(left + 0.5, top + 0.5, Math.max(0, width - 1.7), Math.max(0, height - 1.7));
  to.setLineDash([]);
}

const letterHeight = 11;
const letterWidth = 6.6; // of the digits and most letters
const margin = 4;

/** Writes the job's id and name into its bar, or the id alone, as far as there is room. */
function paintName(to: CanvasRenderingContext2D, { job, name }: Span, left: number, right: number, middle: number) {
  const fits = (text: string) => text.length * letterWidth + 2 * margin <= right - left;
  const text = [name ? `${job} ${name}` : job, job].find(fits);
  if (!text) return;
  const colour = jobColour(job);
  to.font = '11px system-ui, "DejaVu Sans", sans-serif';
  to.textBaseline = 'middle';
  to.lineWidth = 3;
  to.strokeStyle = colour; // keeps the name readable on a hatch
  to.strokeText(text, left + margin, middle);
  to.fillStyle = inkOn(colour);
  to.fillText(text, left + margin, middle);
}

/** States in which a task moves or stands still instead of working. */
const striped = new Set(['starting', 'moving', 'pausing', 'resuming', 'stopping', 'frozen']);

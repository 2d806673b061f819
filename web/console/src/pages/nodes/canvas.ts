import type { MapNode } from '../../api/map';
import { cpuSegments, memorySegments, type Segment } from './segments';

/** The size of a node on the map, in pixels, with the gap after it. */
export const cell = { width: 72, height: 40, gap: 6 };

/** Where nodes stand on a map of that width. */
export interface Grid {
  columns: number;
  height: number;
}

export function gridOf(count: number, width: number): Grid {
  const columns = Math.max(1, Math.floor((width + cell.gap) / (cell.width + cell.gap)));
  return { columns, height: Math.ceil(count / columns) * (cell.height + cell.gap) };
}

export const cellAt = (index: number, { columns }: Grid) => ({
  x: (index % columns) * (cell.width + cell.gap),
  y: Math.floor(index / columns) * (cell.height + cell.gap),
});

/** Which node is at a point of the map; undefined in a gap. */
export function indexAt(x: number, y: number, { columns }: Grid, count: number): number | undefined {
  const column = Math.floor(x / (cell.width + cell.gap));
  const row = Math.floor(y / (cell.height + cell.gap));
  const index = row * columns + column;
  const inside = column < columns && x % (cell.width + cell.gap) < cell.width && y % (cell.height + cell.gap) < cell.height;
  return inside && index < count ? index : undefined;
}

/** The colours of what is not a VM. */
export interface Ink {
  ground: string;
  line: string;
  text: string;
  bad: string;
  wait: string;
}

/** Draws one node: its name, its CPU, its memory, and a frame that tells whether it is well. */
export function drawNode(to: CanvasRenderingContext2D, node: MapNode, x: number, y: number, ink: Ink) {
  to.fillStyle = ink.text;
  to.font = '10px system-ui, sans-serif';
  to.textBaseline = 'top';
  to.fillText(shortened(node.name), x, y, cell.width);
  drawBar(to, cpuSegments(node), x, y + 13, 17, ink);
  drawBar(to, memorySegments(node), x, y + 32, 7, ink);
  if (node.state === 'ready') return;
  const lost = node.state === 'silent' || node.state === 'down';
  to.strokeStyle = lost ? ink.bad : ink.wait;
  to.lineWidth = 2;
  to.setLineDash(lost ? [] : [4, 3]);
  to.strokeRect(x - 1, y + 12, cell.width + 2, cell.height - 12);
  to.setLineDash([]);
}

function drawBar(to: CanvasRenderingContext2D, segments: Segment[], x: number, y: number, height: number, ink: Ink) {
  to.fillStyle = ink.ground;
  to.fillRect(x, y, cell.width, height);
  let at = x;
  for (const part of segments) {
    const width = part.fraction * cell.width;
    to.fillStyle = part.colour;
    to.fillRect(at, y, Math.max(width - 0.7, 0.6), height);
    if (part.hatched) hatch(to, at, y, width, height);
    at += width;
  }
}

function hatch(to: CanvasRenderingContext2D, x: number, y: number, width: number, height: number) {
  to.fillStyle = 'rgba(255, 255, 255, 0.5)';
  for (let dx = 0; dx < width; dx += 4) to.fillRect(x + dx, y, 1.5, height);
}

function shortened(name: string): string {
  return name.length > 13 ? name.slice(0, 12) + '…' : name;
}

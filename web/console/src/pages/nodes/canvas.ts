import type { MapNode } from '../../api/map';
import { stripes } from '../../ui/stripes';
import { cpuSegments, memorySegments, type Segment } from './segments';
import { standing, type Standing } from './standing';

/** The size of a node on the map, in pixels, with the gap after it. */
export const cell = { width: 72, height: 40, gap: 6 };

/** Returns the positions of nodes on a map of that width. */
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

/** Returns the index of the node at a point of the map; undefined in a gap. */
export function indexAt(x: number, y: number, { columns }: Grid, count: number): number | undefined {
  const column = Math.floor(x / (cell.width + cell.gap));
  const row = Math.floor(y / (cell.height + cell.gap));
  const index = row * columns + column;
  const inside = column < columns && x % (cell.width + cell.gap) < cell.width && y % (cell.height + cell.gap) < cell.height;
  return inside && index < count ? index : undefined;
}

/** The colours of everything besides VMs. */
export interface Ink {
  ground: string;
  line: string;
  text: string;
  bad: string;
  wait: string;
}

export const inks: Record<'light' | 'dark', Ink> = {
  light: { ground: '#e6ebef', line: '#dde3e8', text: '#1b2126', bad: '#b3261e', wait: '#8a5a00' },
  dark: { ground: '#2f353b', line: '#3a4148', text: '#e4e8eb', bad: '#ff8a80', wait: '#f0b54a' },
};

/** Picture is a map as a canvas shows it. */
export interface Picture extends Grid {
  nodes: MapNode[];
  width: number;
  ink: Ink;
}

/** Draws the map. If an older one is there, it draws only the nodes that have changed. */
export function drawMap(canvas: HTMLCanvasElement, wanted: Picture, there: Picture | undefined) {
  const to = canvas.getContext('2d');
  if (!to) return;
  const known = there && sameFrame(wanted, there) ? there.nodes : [];
  if (known.length === 0) clear(canvas, to, wanted);
  wanted.nodes.forEach((node, i) => {
    if (node === known[i]) return;
    const { x, y } = cellAt(i, wanted);
    to.clearRect(x - cell.gap / 2, y - cell.gap / 2, cell.width + cell.gap, cell.height + cell.gap);
    drawNode(to, node, x, y, wanted.ink);
  });
}

const sameFrame = (a: Picture, b: Picture) => a.nodes.length === b.nodes.length && a.columns === b.columns && a.width === b.width && a.ink === b.ink;

/** Gives the canvas the pixels of the screen, which empties it. */
function clear(canvas: HTMLCanvasElement, to: CanvasRenderingContext2D, { width, height }: Picture) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  to.scale(ratio, ratio);
}

/** Draws one node: its name, its CPU, its memory, and a frame that shows its health. */
export function drawNode(to: CanvasRenderingContext2D, node: MapNode, x: number, y: number, ink: Ink) {
  to.fillStyle = ink.text;
  to.font = '10px system-ui, sans-serif';
  to.textBaseline = 'top';
  to.fillText(shortened(node.name), x, y, cell.width);
  const how = standing(node.state);
  drawBar(to, cpuSegments(node), x, y + 13, 17, ink, how);
  drawBar(to, memorySegments(node), x, y + 32, 7, ink, how);
  if (how === 'open') return;
  const lost = how === 'lost';
  to.strokeStyle = lost ? ink.bad : ink.wait;
  to.lineWidth = 2;
  to.setLineDash(lost ? [] : [4, 3]);
  to.strokeRect(x - 1, y + 12, cell.width + 2, cell.height - 12);
  to.setLineDash([]);
}

function drawBar(to: CanvasRenderingContext2D, segments: Segment[], x: number, y: number, height: number, ink: Ink, how: Standing) {
  to.fillStyle = ink.ground;
  to.fillRect(x, y, cell.width, height);
  if (how !== 'open') strike(to, x, y, height, how === 'lost', ink);
  let at = x;
  for (const part of segments) {
    const width = part.fraction * cell.width;
    to.fillStyle = part.colour;
    to.fillRect(at, y, Math.max(width - 0.7, 0.6), height);
    if (part.hatched) stripes(to, at, y, width, height, 'rgba(255, 255, 255, 0.5)', [1.5, 2.5]);
    at += width;
  }
}

/** Crosses or bars the background of a bar. */
function strike(to: CanvasRenderingContext2D, x: number, y: number, height: number, cross: boolean, ink: Ink) {
  to.strokeStyle = ink.text;
  to.lineWidth = 0.7;
  to.beginPath();
  for (let at = x; at + 8 <= x + cell.width; at += 8) {
    to.moveTo(at, y);
    to.lineTo(cross ? at + 8 : at, y + height);
    if (!cross) continue;
    to.moveTo(at + 8, y);
    to.lineTo(at, y + height);
  }
  to.stroke();
}

function shortened(name: string): string {
  return name.length > 13 ? name.slice(0, 12) + '…' : name;
}

import { jobColour, jobHatch, type Hatch } from '../palette';

const size = 6;

/** The fills that were made, by colour and hatch; null: the browser cannot make them. */
const made = new Map<string, CanvasPattern | null>();

/** Returns what fills the bars of a job: its colour with its hatch. */
export function fillOf(to: CanvasRenderingContext2D, job: string): string | CanvasPattern {
  const colour = jobColour(job);
  const hatch = jobHatch(job);
  if (hatch === 'plain') return colour;
  const key = colour + hatch;
  if (!made.has(key)) made.set(key, patternOf(to, colour, hatch));
  return made.get(key) ?? colour;
}

function patternOf(to: CanvasRenderingContext2D, colour: string, hatch: Hatch): CanvasPattern | null {
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const on = tile.getContext('2d');
  if (!on) return null;
  on.fillStyle = colour;
  on.fillRect(0, 0, size, size);
  on.fillStyle = 'rgba(255, 255, 255, 0.45)';
  if (hatch === 'lines') on.fillRect(0, 0, size, 2);
  else on.fillRect(1, 1, 3, 3);
  return to.createPattern(tile, 'repeat');
}

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Visit } from './browser';
import { root } from './processes';

/** Frames are the frames that a page drew while a test acted on it. Times are in milliseconds. */
export interface Frames {
  times: number[];
  /** Number of tasks that blocked the page for more than 50 ms. */
  longTasks: number;
  /** After a garbage collection. */
  heapMiB: number;
}

/** Folder for CPU profiles, from ALIQUOT_PROFILES; without it none are kept. */
const folder = process.env.ALIQUOT_PROFILES ? path.resolve(root, process.env.ALIQUOT_PROFILES) : undefined;

/** Times the frames of a page while act is called again and again. */
export async function measureFrames(visit: Visit, seconds: number, name: string, act: (time: number) => Promise<void>): Promise<Frames> {
  const { page, devtools } = visit;
  await page.evaluate(() => {
    const seen = { times: [] as number[], longTasks: 0, last: performance.now() };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => void (seen.longTasks += list.getEntries().length)).observe({ type: 'longtask' });
    const frame = (now: number) => {
      seen.times.push(now - seen.last);
      seen.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  if (folder) await devtools.send('Profiler.enable');
  if (folder) await devtools.send('Profiler.start');
  const end = Date.now() + seconds * 1000;
  for (let time = 0; Date.now() < end; time++) await act(time);
  const { times, longTasks } = await page.evaluate(() => (window as unknown as { seen: { times: number[]; longTasks: number } }).seen);
  if (folder) keepProfile(folder, name, (await devtools.send('Profiler.stop')).profile);
  return { times: times.slice(1), longTasks, heapMiB: await visit.heap() };
}

function keepProfile(to: string, name: string, profile: unknown) {
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, `${name.replace(/\W+/g, '-')}.cpuprofile`), JSON.stringify(profile));
}

/** Formats the measurements as a table in Markdown. */
export function frameTable(measured: [string, Frames][]): string {
  const row = (cells: unknown[]) => `| ${cells.join(' | ')} |`;
  const lines = measured.map(([what, { times, longTasks, heapMiB }]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part: number) => `${sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(0)} ms`;
    return row([what, times.length, at(0.5), at(0.95), at(1), longTasks, `${heapMiB.toFixed(0)} MiB`]);
  });
  return [row(['action', 'frames', 'median', '95 %', 'longest', 'long tasks', 'heap']), row(['---', '---', '---', '---', '---', '---', '---']), ...lines].join('\n');
}

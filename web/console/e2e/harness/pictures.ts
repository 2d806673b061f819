import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Visit } from './browser';
import type { Cluster } from './cluster';
import { root } from './processes';

/** The subject of a picture: an empty, a small or a large cluster, or the small one on a phone. */
export const sizes = ['empty', 'small', 'large', 'phone'] as const;
export type Size = (typeof sizes)[number];

/** Folder for pictures, from ALIQUOT_PICTURES; without it none are kept, because they differ a little each time. */
const folder = process.env.ALIQUOT_PICTURES ? path.resolve(root, process.env.ALIQUOT_PICTURES) : undefined;

/** Reports whether pictures are kept. */
export const wanted = folder !== undefined;

/** Keeps a picture of the page if pictures are wanted, and lists it in their README. */
export async function keep(visit: Visit, name: string, size: Size, scheme: string) {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}-${size}-${scheme}.webp`), await visit.picture());
  writeFileSync(path.join(folder, 'README.md'), readme(readdirSync(folder)));
}

/** Submits and cancels long jobs for some minutes, if pictures are wanted, so that charts and lists have content. */
export async function bustle(cluster: Cluster, minutes: number, specs: Parameters<Cluster['submit']>[0][]) {
  const end = Date.now() + minutes * 60_000;
  const jobs: string[] = [];
  for (let n = 0; wanted && Date.now() < end; n++) {
    jobs.push(await cluster.submit(specs[n % specs.length]!));
    if (jobs.length > atOnce) await cluster.ask(`/v1/jobs/${jobs.shift()}`, { method: 'DELETE' });
    await new Promise((resume) => setTimeout(resume, 12_000));
  }
}

const atOnce = 2; // more jobs do not fit into the lab

const intro = `# The console in pictures

Each page with a small cluster (three libvirt nodes with real VMs, the lab of \`scripts/lab\`) and a large one (1,000 modelled
nodes with 10,000 VMs, \`aliquotd model --nodes 1000 --vms 10000\`), light and dark, and on a phone. The [tour](../console.md)
explains the pages. The end-to-end tests make the pictures and this list, and let axe look at every page:

\`\`\`
sudo ALIQUOT_PICTURES=docs/console ./scripts/console e2e
\`\`\`
`;

/** Formats the list of pictures, with a row for each page and a column for each size of cluster. */
export function readme(files: string[]): string {
  const found = files.map((file) => /^(.+)-(\w+)-(light|dark)\.webp$/.exec(file)).filter((it) => it !== null);
  const names = [...new Set(found.map((it) => it[1]!))].sort();
  const columns = sizes.filter((size) => found.some((it) => it[2] === size));
  const cell = (name: string, size: string) => {
    const file = (scheme: string) => (files.includes(`${name}-${size}-${scheme}.webp`) ? `${name}-${size}-${scheme}.webp` : undefined);
    const [light, dark] = [file('light'), file('dark')];
    return [light && `[![${name}, ${size}, light](${light})](${light})`, dark && `[dark](${dark})`].filter(Boolean).join(' ');
  };
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = [row(['page', ...columns]), row(['---', ...columns.map(() => '---')]), ...names.map((name) => row([name, ...columns.map((size) => cell(name, size))]))];
  return `${intro}\n${table.join('\n')}\n`;
}

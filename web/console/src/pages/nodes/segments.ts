import type { Node } from '../../api/client';
import type { Placement } from '../../api/placements';
import { jobColour } from '../../ui/palette';
import { bytes, cpu } from '../../wording/amounts';

/** Segment is a part of a node's CPU or memory, as a fraction of it. */
export interface Segment {
  key: string;
  job?: string;
  label: string;
  fraction: number;
  colour: string;
  /** Drawn hatched: of the background tier, or not ours. */
  hatched: boolean;
}

const foreignColour = '#8a949c';

/** The CPU of a node as the shares of its VMs and what VMs take that are not ours. */
export function cpuSegments(node: Node, placements: Placement[]): Segment[] {
  const whole = Math.max(node.cpuMillicores + node.foreignMillicores, 1);
  return [
    ...sorted(placements).map(({ job, task }) =>
      segment(job.id, task.index, task.tier, `${job.id} ${job.name}, task ${task.index}: ${cpu(task.shareMillicores)} of ${cpu(task.needMillicores)} needed`, task.shareMillicores / whole),
    ),
    ...foreign(node.foreignMillicores / whole, cpu(node.foreignMillicores)),
  ].filter((part) => part.fraction > 0);
}

/** The memory of a node as what is charged for its VMs. */
export function memorySegments(node: Node, placements: Placement[]): Segment[] {
  const whole = Math.max(node.memoryBytes + node.foreignMemoryBytes, 1);
  return [
    ...sorted(placements).map(({ job, task }) => {
      const charged = job.memoryBytes + node.overheadBytes;
      return segment(job.id, task.index, task.tier, `${job.id} ${job.name}, task ${task.index}: ${bytes(charged)}`, charged / whole);
    }),
    ...foreign(node.foreignMemoryBytes / whole, bytes(node.foreignMemoryBytes)),
  ].filter((part) => part.fraction > 0);
}

const sorted = (placements: Placement[]) =>
  placements.toSorted((a, b) => a.task.tier.localeCompare(b.task.tier) * -1 || number(a) - number(b) || a.task.index - b.task.index);

const number = (placement: Placement) => Number(placement.job.id.slice(1));

function segment(job: string, task: number, tier: string, label: string, fraction: number): Segment {
  return { key: `${job}/${task}`, job, label: tier === 'background' ? `${label}, background` : label, fraction, colour: jobColour(job), hatched: tier === 'background' };
}

function foreign(fraction: number, amount: string): Segment[] {
  return [{ key: 'foreign', label: `VMs that are not ours: ${amount}`, fraction, colour: foreignColour, hatched: true }];
}

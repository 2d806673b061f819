import type { MapNode, MapVM } from '../../api/map';
import { jobColour } from '../../ui/palette';
import { bytes, cpu } from '../../wording/amounts';

/** Segment is a part of a node's CPU or memory, as a fraction of it. */
export interface Segment {
  key: string;
  /** A function, because a map of ten thousand VMs shows no labels. */
  label: () => string;
  fraction: number;
  colour: string;
  /** Drawn hatched: a VM of the background tier, a VM that is arriving, or a foreign VM. */
  hatched: boolean;
}

const foreignColour = '#8a949c';

/** Divides the CPU of a node into the shares of its VMs and the CPU that foreign VMs take. */
export function cpuSegments(node: MapNode): Segment[] {
  const whole = Math.max(node.cpuMillicores + node.foreignMillicores, 1);
  const parts = node.vms.map((vm) => segment(vm, () => `${cpu(vm.capAskedMillicores)} of ${cpu(vm.needMillicores)} needed`, vm.capAskedMillicores / whole));
  return [...parts, foreign(node.foreignMillicores / whole, () => cpu(node.foreignMillicores))].filter((part) => part.fraction > 0);
}

/** Divides the memory of a node into the memory charged for its VMs. */
export function memorySegments(node: MapNode): Segment[] {
  const whole = Math.max(node.memoryBytes + node.foreignMemoryBytes, 1);
  const parts = node.vms.map((vm) => segment(vm, () => bytes(vm.memoryBytes), vm.memoryBytes / whole));
  return [...parts, foreign(node.foreignMemoryBytes / whole, () => bytes(node.foreignMemoryBytes))].filter((part) => part.fraction > 0);
}

function segment(vm: MapVM, amount: () => string, fraction: number): Segment {
  return {
    key: `${vm.job}/${vm.task}`,
    label: () => [`${vm.job}, task ${vm.task}: ${amount()}`, ...notes(vm)].join(', '),
    fraction,
    colour: jobColour(vm.job),
    hatched: vm.tier === 'background' || vm.arriving === true,
  };
}

const notes = (vm: MapVM) => [vm.tier === 'background' && 'background', vm.arriving ? 'on its way here' : vm.state !== 'running' && vm.state].filter(Boolean);

function foreign(fraction: number, amount: () => string): Segment {
  return { key: 'foreign', label: () => `foreign VMs: ${amount()}`, fraction, colour: foreignColour, hatched: true };
}

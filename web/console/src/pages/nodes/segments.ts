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

/**
 * Divides the CPU of a node into the shares of its foreground VMs, the CPU that foreign VMs take, and the caps of its
 * background VMs. These are drawn smaller where there is not that much left.
 */
export function cpuSegments(node: MapNode): Segment[] {
  const first = foregroundSegments(node);
  const rest = backgroundSegments(node);
  const scale = Math.min(1, Math.max(0, 1 - sum(first)) / Math.max(sum(rest), 1e-9));
  return [...first, ...rest.map((part) => ({ ...part, fraction: part.fraction * scale }))].filter((part) => part.fraction > 0);
}

/** Divides the CPU of a node into the shares of its foreground VMs and the CPU that foreign VMs take. */
export function foregroundSegments(node: MapNode): Segment[] {
  return [...shares(node, 'foreground'), foreign(node.foreignMillicores / whole(node), () => cpu(node.foreignMillicores))].filter((part) => part.fraction > 0);
}

/**
 * Returns the sum of the caps of the foreground VMs, in millicores. On a node that does not answer, VMs may keep caps that
 * are not granted any more.
 */
export const foregroundCaps = (node: MapNode) => sum(node.vms.filter((vm) => vm.tier === 'foreground').map((vm) => ({ fraction: vm.capAskedMillicores })));

/** Returns the caps of the background VMs of a node. */
export const backgroundSegments = (node: MapNode): Segment[] => shares(node, 'background');

const whole = (node: MapNode) => Math.max(node.cpuMillicores + node.foreignMillicores, 1);
const sum = (parts: Pick<Segment, 'fraction'>[]) => parts.reduce((total, part) => total + part.fraction, 0);

function shares(node: MapNode, tier: MapVM['tier']): Segment[] {
  const amount = (vm: MapVM) => () => (tier === 'background' ? `up to ${cpu(vm.capAskedMillicores)}` : `${cpu(vm.capAskedMillicores)} of ${cpu(vm.needMillicores)} needed`);
  return node.vms.filter((vm) => vm.tier === tier).map((vm) => segment(vm, amount(vm), vm.capAskedMillicores / whole(node)));
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

import { count, cpu, cpuOf, plural } from '../../wording/amounts';

/** Availability of a node's capacity: for new VMs, only for present VMs, or for none. */
export type Standing = 'open' | 'closed' | 'lost';

export function standing(state: string): Standing {
  if (state === 'ready') return 'open';
  return isLost(state) ? 'lost' : 'closed';
}

/** A lost node is not part of the capacity. */
export const isLost = (state: string) => state === 'silent' || state === 'down';

/** Says that a node without a connection takes no new VMs when it is back. In other states, the state says so. */
export function closed(node: { state: string; draining: boolean; cordoned: boolean }): string {
  if (node.state !== 'unreachable' && !isLost(node.state)) return '';
  return node.draining ? ', draining' : node.cordoned ? ', cordoned' : '';
}

const remarks: Record<string, string> = {
  unreachable: 'Has no connection to the leader: shown as last seen; VMs there run on, but none can start, stop or move',
  stalled: 'Its hypervisor does not answer: VMs there run on, but none can start, stop or move',
  silent: 'Lost: its VMs may still run',
  down: 'Lost: its tasks may start elsewhere',
  returning: 'Takes new VMs when it has reported what it has',
  cordoned: 'Takes no new VMs',
  draining: 'Takes no new VMs; present VMs leave',
  drained: 'Takes no new VMs',
};

/** Returns the meaning of a node's state for VMs; nothing if the node is ready. */
export const remark = (state: string): string | undefined => remarks[state];

/** For example "silent, Lost: its VMs may still run". */
export const stateInWords = (state: string) => [state, remark(state)].filter(Boolean).join(', ');

/**
 * Formats a part of a node's memory, which does not count while the node is lost: "1 GiB of 4 GiB", "1 GiB of a lost
 * node".
 */
export const ofCapacity = (state: string, amount: string, capacity: string) => `${amount} of ${isLost(state) ? 'a lost node' : capacity}`;

/** The same for CPU: "1 of 4 cores", "1 core of a lost node". */
export const cpuOfCapacity = (state: string, amount: number, capacity: number) => (isLost(state) ? ofCapacity(state, cpu(amount), '') : cpuOf(amount, capacity));

/**
 * Says what background tasks may use, and use in all: "up to 20m that are not granted, and what others leave of theirs;
 * now 643m".
 */
export function backgroundUse({ bestEffortMillicores: free, usedBackgroundMillicores: used }: { bestEffortMillicores: number; usedBackgroundMillicores?: number }): string {
  return `${free > 0 ? `up to ${cpu(free)} that are not granted, and ` : ''}what others leave of theirs${used === undefined ? '' : `; now ${cpu(used)}`}`;
}

/** Formats the number of nodes and of those that do not count: "9 nodes, 1 of them lost and not counted". */
export function nodesInWords(all: number, lost: number): string {
  return lost === 0 ? plural(all, 'node') : `${plural(all, 'node')}, ${count(lost)} of them lost and not counted`;
}

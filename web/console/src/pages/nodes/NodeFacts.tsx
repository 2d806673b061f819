import type { Node } from '../../api/client';
import { Facts, type Fact } from '../../ui/Facts';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, cpu, cpuOf, percent } from '../../wording/amounts';
import { dateTime } from '../../wording/clock';
import { closed, cpuOfCapacity, isLost, ofCapacity, remark } from './standing';

/** NodeFacts shows a node's capacity and health. */
export function NodeFacts({ node }: { node: Node }) {
  const labels = Object.entries(node.labels).map(([name, value]) => `${name}=${value}`);
  const begun = node.maintenance?.find((it) => it.begun);
  return (
    <Facts
      facts={[
        { name: 'State', help: remark(node.state), value: <><StateBadge state={node.state} />{closed(node)}{begun && `, in maintenance until ${dateTime(new Date(begun.end))}`}</> },
        { name: 'CPU granted', help: 'Guaranteed to tasks', value: cpuOfCapacity(node.state, node.guaranteedMillicores, node.cpuMillicores) },
        { name: 'Best effort', help: 'What background tasks may use besides that', value: cpu(node.bestEffortMillicores) },
        { name: 'CPU load', help: 'Needs relative to the capacity', value: `${isLost(node.state) ? '–' : percent(node.needMillicores, node.cpuMillicores)}: ${cpu(node.needMillicores)} needed` },
        { name: 'CPU used', help: 'Measured; only the leader knows', value: node.usedMillicores === undefined ? '–' : cpu(node.usedMillicores) },
        ...(node.bridged ? [{ name: 'Network', help: 'Jobs with a network run on such nodes only', value: `has a bridge for VMs, ${node.limitsBandwidth ? 'can' : 'cannot'} limit network cards` }] : []),
        ...(node.disks ? [] : [{ name: 'Images', help: 'Jobs whose image is a disk do not run here', value: 'of kind kernel only' }]),
        ...(node.immobile ? [{ name: 'Moves', help: 'Its monitor has no migrate-uri', value: 'none alive: VMs stay, or pause and resume elsewhere' }] : []),
        ...(node.speed !== 1 || node.measuredSpeed ? [{ name: 'Speed', help: 'Of its processors, where 1 is the reference. CPU is counted in millicores of the reference', value: speed(node) }] : []),
        ...(node.class ? [{ name: 'Class', help: 'Speeds of work are learnt by class: a setting of the monitor, or the name of the processors', value: node.class }] : []),
        ...(node.slots > 1 ? [{ name: 'Processors', help: 'Policies of two tiers give each a foreground and a background task', value: node.slots }] : []),
        { name: 'Memory charged', help: `For each VM its memory and the largest overhead of all nodes; this node asks for ${bytes(node.overheadBytes)}`, value: ofCapacity(node.state, bytes(node.memoryReservedBytes), bytes(node.memoryBytes)) },
        ...hostFacts(node.host),
        { name: 'Foreign', help: 'Taken by VMs outside this cluster', value: `${cpu(node.foreignMillicores)}, ${bytes(node.foreignMemoryBytes)}` },
        ...(node.lastSeen ? [{ name: 'Last seen', help: 'What is shown of it dates from then', value: <Moment at={node.lastSeen} /> }] : []),
        { name: `${node.health[0]!.toUpperCase()}${node.health.slice(1)} since`, value: <Moment at={node.since} /> },
        { name: 'Fence', help: 'Stops the VMs if the node loses the manager', value: node.fenceAlive ? 'alive at the last report' : 'did not answer' },
        { name: 'Store of images', value: node.storeProven ? 'reads and writes' : 'not proven' },
        { name: 'Hypervisor', value: (node.hypervisor || '–') + (node.hypervisorAnswers ? '' : '; it does not answer') },
        { name: 'Monitor', help: 'The version of its program', value: node.program || 'the release is too old to report it' },
        { name: 'Platforms', value: node.platforms.join(', ') || '–' },
        ...(node.maintenance ?? []).map((it) => ({ name: it.begun ? 'In maintenance' : 'Maintenance', help: 'Nothing is promised here then, and its VMs leave', value: <><Moment at={it.start} /> – <Moment at={it.end} />{it.reason && `: ${it.reason}`}</> })),
        { name: 'Labels', value: labels.join(', ') || 'none' },
      ]}
    />
  );
}

/** Tells the node's speed and how it is known. */
function speed({ speed, speedSource, measuredSpeed }: Node): string {
  return `${speed}, ${speedSource}${speedSource === 'assumed' && measuredSpeed ? `; ${measuredSpeed} was measured, and its monitor's settings declare none` : ''}`;
}

/** Returns the use of the whole machine, with everything that runs on it. */
function hostFacts(host: Node['host']): Fact[] {
  if (!host) return [];
  const of = (used: number, all: number, words: (used: number, all: number) => string) => (all > 0 ? `${words(used, all)}: ${percent(used, all)}` : 'not measured yet');
  const bytesOf = (used: number, all: number) => `${bytes(used)} of ${bytes(all)}`;
  return [
    { name: 'CPU of the machine', help: 'Used by everything that runs on the machine, mean of the last seconds; only the leader knows', value: of(host.usedMillicores, host.cpuMillicores, cpuOf) },
    { name: 'Memory of the machine', help: 'Memory that could not be had without swapping', value: of(host.usedBytes, host.memoryBytes, bytesOf) },
    { name: 'Disk of the machine', help: 'The file system with the data of the node’s monitor, without what is kept for root', value: of(host.diskUsedBytes, host.diskBytes, bytesOf) },
  ];
}

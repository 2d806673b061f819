import type { Node } from '../../api/client';
import { Facts } from '../../ui/Facts';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, cpu, percent } from '../../wording/amounts';
import { isLost, ofCapacity, remark } from './standing';

/** NodeFacts shows a node's capacity and health. */
export function NodeFacts({ node }: { node: Node }) {
  const labels = Object.entries(node.labels).map(([name, value]) => `${name}=${value}`);
  return (
    <Facts
      facts={[
        { name: 'State', help: remark(node.state), value: <StateBadge state={node.state} /> },
        { name: 'CPU granted', value: ofCapacity(node.state, cpu(node.shareMillicores), cpu(node.cpuMillicores)) },
        { name: 'Guaranteed', help: 'Of what is granted; the rest is best effort', value: `${cpu(node.guaranteedMillicores)}, ${cpu(node.bestEffortMillicores)} best effort` },
        { name: 'CPU load', help: 'Needs relative to the capacity', value: `${isLost(node.state) ? '–' : percent(node.needMillicores, node.cpuMillicores)}: ${cpu(node.needMillicores)} needed` },
        { name: 'CPU used', help: 'Measured; only the leader knows', value: node.usedMillicores === undefined ? '–' : cpu(node.usedMillicores) },
        { name: 'Memory charged', help: `For each VM its memory and the largest overhead of all nodes; this node asks for ${bytes(node.overheadBytes)}`, value: ofCapacity(node.state, bytes(node.memoryReservedBytes), bytes(node.memoryBytes)) },
        { name: 'Foreign', help: 'Taken by VMs outside this cluster', value: `${cpu(node.foreignMillicores)}, ${bytes(node.foreignMemoryBytes)}` },
        ...(node.lastSeen ? [{ name: 'Last seen', help: 'What is shown of it dates from then', value: <Moment at={node.lastSeen} /> }] : []),
        { name: `${node.health} since`, value: <Moment at={node.since} /> },
        { name: 'Fence', help: 'Stops the VMs if the node loses the manager', value: node.fenceAlive ? 'alive at the last report' : 'did not answer' },
        { name: 'Store of images', value: node.storeProven ? 'reads and writes' : 'not proven' },
        { name: 'Hypervisor', value: (node.hypervisor || '–') + (node.hypervisorAnswers ? '' : '; it does not answer') },
        { name: 'Monitor', help: 'The version of its program', value: node.program || 'the release is too old to report it' },
        { name: 'Platforms', value: node.platforms.join(', ') || '–' },
        { name: 'Labels', value: labels.join(', ') || 'none' },
      ]}
    />
  );
}

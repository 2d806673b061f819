import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Node } from '../../api/client';
import type { Column } from '../../ui/column';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, cpu, percent } from '../../wording/amounts';

/** The columns of the table of nodes. */
export const nodeColumns: Column<Node>[] = [
  {
    id: 'name', header: 'Node', width: 200, value: (node) => node.name,
    cell: (node) => (
      <Anchor component={Link} to={`/nodes/${node.name}`} size="sm" title={node.name}>
        {node.name}
      </Anchor>
    ),
  },
  { id: 'state', header: 'State', width: 120, value: (node) => node.state, cell: (node) => <StateBadge state={node.state} /> },
  { id: 'tasks', header: 'Tasks', width: 76, align: 'end', value: (node) => node.tasks, cell: (node) => node.tasks },
  { id: 'cpu', header: 'CPU', width: 110, align: 'end', help: 'Capacity for VMs of ours', value: (node) => node.cpuMillicores, cell: (node) => cpu(node.cpuMillicores) },
  { id: 'share', header: 'Granted', width: 110, align: 'end', value: (node) => node.shareMillicores, cell: (node) => cpu(node.shareMillicores) },
  { id: 'need', header: 'Needed', width: 110, align: 'end', value: (node) => node.needMillicores, cell: (node) => cpu(node.needMillicores) },
  {
    id: 'load', header: 'CPU load', width: 96, align: 'end', help: 'Needs relative to the capacity',
    value: (node) => node.needMillicores / Math.max(1, node.cpuMillicores), cell: (node) => percent(node.needMillicores, node.cpuMillicores),
  },
  {
    id: 'used', header: 'Used', width: 110, align: 'end', help: 'Measured; the leader alone knows',
    value: (node) => node.usedMillicores, cell: (node) => (node.usedMillicores === undefined ? '–' : cpu(node.usedMillicores)),
  },
  { id: 'memory', header: 'Memory', width: 100, align: 'end', value: (node) => node.memoryBytes, cell: (node) => bytes(node.memoryBytes) },
  { id: 'reserved', header: 'Charged', width: 100, align: 'end', help: 'For the tasks placed there', value: (node) => node.memoryReservedBytes, cell: (node) => bytes(node.memoryReservedBytes) },
  { id: 'hypervisor', header: 'Hypervisor', width: 180, value: (node) => node.hypervisor, cell: (node) => <span title={node.hypervisor}>{node.hypervisor}</span> },
];

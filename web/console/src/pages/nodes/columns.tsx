import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Node } from '../../api/client';
import type { Column } from '../../ui/column';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, count, cpu, percent } from '../../wording/amounts';
import { closed, isLost } from './standing';

/** The columns of the table of nodes. */
export const nodeColumns: Column<Node>[] = [
  {
    id: 'name', header: 'Node', width: 160, value: (node) => node.name,
    cell: (node) => (
      <Anchor component={Link} to={`/nodes/${node.name}`} size="sm">
        {node.name}
      </Anchor>
    ),
  },
  { id: 'state', header: 'State', width: 100, value: (node) => node.state, cell: (node) => <><StateBadge state={node.state} />{closed(node)}</> },
  { id: 'tasks', header: 'Tasks', width: 60, align: 'end', value: (node) => node.tasks, cell: (node) => count(node.tasks) },
  { id: 'cpu', header: 'CPU', width: 92, align: 'end', help: 'Capacity for VMs of this cluster; none while the node is lost', value: (node) => (isLost(node.state) ? undefined : node.cpuMillicores), cell: (node) => (isLost(node.state) ? 'lost' : cpu(node.cpuMillicores)) },
  { id: 'share', header: 'Granted', width: 92, align: 'end', help: 'Guaranteed to tasks; without what the background may use', value: (node) => node.guaranteedMillicores, cell: (node) => cpu(node.guaranteedMillicores) },
  { id: 'need', header: 'Needed', width: 92, align: 'end', value: (node) => node.needMillicores, cell: (node) => cpu(node.needMillicores) },
  {
    id: 'load', header: 'CPU load', width: 84, align: 'end', help: 'Needs relative to the capacity',
    value: (node) => (isLost(node.state) ? undefined : node.needMillicores / Math.max(1, node.cpuMillicores)), cell: (node) => (isLost(node.state) ? '–' : percent(node.needMillicores, node.cpuMillicores)),
  },
  {
    id: 'used', header: 'Used', width: 92, align: 'end', help: 'Measured; only the leader knows',
    value: (node) => node.usedMillicores, cell: (node) => (node.usedMillicores === undefined ? '–' : cpu(node.usedMillicores)),
  },
  { id: 'memory', header: 'Memory', width: 88, align: 'end', help: 'Capacity for VMs of this cluster; none while the node is lost', value: (node) => (isLost(node.state) ? undefined : node.memoryBytes), cell: (node) => (isLost(node.state) ? 'lost' : bytes(node.memoryBytes)) },
  { id: 'reserved', header: 'Charged', width: 88, align: 'end', help: 'For the tasks placed there', value: (node) => node.memoryReservedBytes, cell: (node) => bytes(node.memoryReservedBytes) },
  {
    id: 'host-cpu', header: 'Machine CPU', width: 110, align: 'end', help: 'Used by everything that runs on the machine', extra: true,
    value: (node) => node.host && node.host.usedMillicores / Math.max(1, node.host.cpuMillicores), cell: ({ host }) => (host ? percent(host.usedMillicores, host.cpuMillicores) : '–'),
  },
  {
    id: 'host-memory', header: 'Machine memory', width: 130, align: 'end', help: 'Memory of the machine that could not be had without swapping', extra: true,
    value: (node) => node.host && node.host.usedBytes / Math.max(1, node.host.memoryBytes), cell: ({ host }) => (host ? percent(host.usedBytes, host.memoryBytes) : '–'),
  },
  {
    id: 'host-disk', header: 'Machine disk', width: 110, align: 'end', help: 'Used part of the file system with the data of the node’s monitor, as df counts it', extra: true,
    value: (node) => node.host && node.host.diskUsedBytes / Math.max(1, node.host.diskBytes), cell: ({ host }) => (host ? percent(host.diskUsedBytes, host.diskBytes) : '–'),
  },
  { id: 'hypervisor', header: 'Hypervisor', width: 270, extra: true, value: (node) => node.hypervisor, cell: (node) => node.hypervisor },
];

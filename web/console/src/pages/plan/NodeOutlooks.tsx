import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '../../api/client';
import type { Column } from '../../ui/column';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { bytes, count, cpu } from '../../wording/amounts';

type Outlook = Plan['nodes'][number];

/** NodeOutlooks lists the nodes that a plan changes. */
export function NodeOutlooks({ nodes }: { nodes: Outlook[] }) {
  const [sort, setSort] = useSort(columns, '', 'nodesort');
  return <VirtualTable label="Nodes, before and after" columns={columns} rows={nodes} rowKey={(node) => node.node} sort={sort} onSort={setSort} height={400} />;
}

const change = (before: string, after: string) => (before === after ? before : `${before} → ${after}`);

const columns: Column<Outlook>[] = [
  {
    id: 'node', header: 'Node', width: 160, value: (node) => node.node,
    cell: (node) => (
      <Anchor component={Link} to={`/nodes/${node.node}`} size="sm">
        {node.node}
      </Anchor>
    ),
  },
  { id: 'tasks', header: 'VMs', width: 110, align: 'end', value: (node) => node.after.tasks - node.before.tasks, cell: (node) => change(count(node.before.tasks), count(node.after.tasks)) },
  { id: 'share', header: 'CPU granted', width: 220, align: 'end', value: (node) => node.after.guaranteedMillicores, cell: (node) => change(cpu(node.before.guaranteedMillicores), cpu(node.after.guaranteedMillicores)) },
  { id: 'need', header: 'CPU needed', width: 220, align: 'end', value: (node) => node.after.needMillicores, cell: (node) => change(cpu(node.before.needMillicores), cpu(node.after.needMillicores)) },
  { id: 'cpu', header: 'CPU', width: 110, align: 'end', value: (node) => node.cpuMillicores, cell: (node) => cpu(node.cpuMillicores) },
  { id: 'memory', header: 'Memory charged', width: 200, align: 'end', value: (node) => node.after.memoryBytes, cell: (node) => change(bytes(node.before.memoryBytes), bytes(node.after.memoryBytes)) },
  { id: 'of', header: 'Memory', width: 110, align: 'end', value: (node) => node.memoryBytes, cell: (node) => bytes(node.memoryBytes) },
];

import { Button, Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { Node } from '../../api/client';
import { nodesQuery } from '../../api/nodes';
import { mapQuery } from '../../api/map';
import { useMay } from '../../api/session';
import { ColumnMenu, useColumnChoice } from '../../ui/ColumnChoice';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useSort } from '../../ui/sort';
import { Typed } from '../../ui/Typed';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { bytes, cpu, plural } from '../../wording/amounts';
import { nodeColumns } from './columns';
import { Invitations } from './Invitations';
import { InviteDialog } from './InviteDialog';
import { Legend } from './Legend';
import { NodeCanvas } from './NodeCanvas';
import { NodeCards } from './NodeCards';
import { isLost, nodesInWords } from './standing';

const few = 60;

/** NodesPage shows the cluster as a map or as a table. */
export function NodesPage() {
  const nodes = useQuery(nodesQuery);
  const [view, setView] = useUrlState('view', 'map');
  const [search, setSearch] = useUrlState('search');
  const [sort, setSort] = useSort(nodeColumns);
  const [columns, choice] = useColumnChoice('nodes', nodeColumns);
  const wanted = useDeferredValue(search.toLowerCase());
  const shown = useMemo(() => nodes.data?.nodes.filter((node) => matches(node, wanted)) ?? [], [nodes.data, wanted]);
  const names = useMemo(() => new Set(shown.map((node) => node.name)), [shown]);
  const joined = useMemo(() => new Set(nodes.data?.nodes.map((node) => node.name)), [nodes.data]);
  return (
    <Page title="Nodes" actions={<InviteButton />}>
      {nodes.data && <Invitations joined={joined} />}
      {nodes.error && <ProblemAlert error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.isPending && !nodes.error && <Loader aria-label="Loading the nodes" />}
      {nodes.data?.nodes.length === 0 && <NoNodes />}
      {nodes.data && nodes.data.nodes.length > 0 && (
        <>
          <Group justify="space-between" align="end">
            <Group align="end">
              <Typed label="Find" placeholder="name, state or label" leftSection={<Icon name="search" size={16} />} value={search} onType={setSearch} />
              <SegmentedControl
                aria-label="View"
                data={[{ value: 'map', label: 'Map' }, { value: 'table', label: 'Table' }]}
                value={view}
                onChange={setView}
              />
            </Group>
            <Group gap="xs">
              <Text size="sm" c="var(--aliquot-quiet)" role="status">
                {inWords(shown)}
              </Text>
              {view === 'table' && <ColumnMenu columns={nodeColumns} chosen={choice} />}
            </Group>
          </Group>
          {view === 'table' ? (
            <VirtualTable label="Nodes" columns={columns} rows={shown} rowKey={(node) => node.name} sort={sort} onSort={setSort} height="calc(100vh - 212px)" />
          ) : (
            <NodeMap wanted={names} />
          )}
        </>
      )}
    </Page>
  );
}

function InviteButton() {
  const operator = useMay('operator');
  const [opened, { open, close }] = useDisclosure();
  if (!operator) return null;
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={open}>
        Invite a node
      </Button>
      <InviteDialog opened={opened} close={close} />
    </>
  );
}

/** Sums up the capacity of the nodes that are not lost, as the overview counts it, and the tasks of all nodes. */
function inWords(nodes: Node[]): string {
  const there = nodes.filter((node) => !isLost(node.state));
  const sum = (of: Node[], amount: (node: Node) => number) => of.reduce((total, node) => total + amount(node), 0);
  const capacity = `${cpu(sum(there, (node) => node.cpuMillicores))}, ${bytes(sum(there, (node) => node.memoryBytes))}`;
  return `${nodesInWords(nodes.length, nodes.length - there.length)}: ${capacity}; ${plural(sum(nodes, (node) => node.tasks), 'task')}`;
}

function NodeMap({ wanted }: { wanted: Set<string> }) {
  const map = useQuery(mapQuery);
  const shown = useMemo(() => map.data?.filter((node) => wanted.has(node.name)), [map.data, wanted]);
  if (map.error) return <ProblemAlert error={map.error} retry={() => void map.refetch()} />;
  if (!shown) return <Loader aria-label="Loading the map" />;
  return (
    <>
      <Legend />
      {shown.length > few ? <NodeCanvas nodes={shown} /> : <NodeCards nodes={shown} />}
    </>
  );
}

function matches(node: { name: string; state: string; labels: Record<string, string> }, wanted: string): boolean {
  if (!wanted) return true;
  const labels = Object.entries(node.labels).map(([name, value]) => `${name}=${value}`);
  return [node.name, node.state, ...labels].some((text) => text.toLowerCase().includes(wanted));
}

function NoNodes() {
  return (
    <EmptyState title="No node has joined yet">
      A node is a machine with libvirt that runs a monitor. On it, run <code>aliquotd monitor --managers ADDRESS --join-token FILE</code>; an
      operator gets the token here, or from <code>aliquot node invite NAME</code>. Jobs wait until then.
    </EmptyState>
  );
}

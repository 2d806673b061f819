import { Loader, Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Node } from '../../api/client';
import { nodeQuery } from '../../api/nodes';
import { placementsQuery, type Placement } from '../../api/placements';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { UrlTabs } from '../../ui/UrlTabs';
import { NodeActions } from './NodeActions';
import { NodeFacts } from './NodeFacts';
import { NodeHistory } from './NodeHistory';
import { cpuSegments, memorySegments } from './segments';
import { StackedBar } from './StackedBar';
import { Strays } from './Strays';
import { VmTable } from './VmTable';

const none: Placement[] = [];

/** NodePage shows one node: what it offers, what is on it, what happened to it. */
export function NodePage() {
  const name = useParams().node!;
  const node = useQuery(nodeQuery(name));
  if (node.data) return <NodeView node={node.data} />;
  return (
    <Page title={name}>
      {node.error ? <ProblemAlert error={node.error} retry={() => void node.refetch()} /> : <Loader aria-label="Loading the node" />}
    </Page>
  );
}

function NodeView({ node }: { node: Node }) {
  const placements = useQuery(placementsQuery);
  const here = placements.data?.get(node.name) ?? none;
  return (
    <Page title={node.name} actions={<NodeActions node={node} />}>
      <Paper withBorder p="md">
        <Stack gap="md">
          <NodeFacts node={node} />
          <div>
            <StackedBar label="CPU shares of the VMs" segments={cpuSegments(node, here)} height={24} />
            <div style={{ height: 6 }} />
            <StackedBar label="Memory charged for the VMs" segments={memorySegments(node, here)} height={12} />
          </div>
        </Stack>
      </Paper>
      {node.strays.length > 0 && <Strays node={node.name} runs={node.strays} />}
      {placements.error && <ProblemAlert error={placements.error} retry={() => void placements.refetch()} />}
      <UrlTabs
        label="About this node"
        tabs={[
          { id: 'vms', label: 'VMs', content: <VmTable placements={here} /> },
          { id: 'events', label: 'Events', content: <NodeHistory node={node.name} /> },
        ]}
      />
    </Page>
  );
}

import { Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Node } from '../../api/client';
import { nodeQuery } from '../../api/nodes';
import { mapOfQuery } from '../../api/map';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { UrlTabs } from '../../ui/UrlTabs';
import { NodeActions } from './NodeActions';
import { NodeFacts } from './NodeFacts';
import { NodeHistory } from './NodeHistory';
import { NodeOverTime } from './NodeOverTime';
import { backgroundSegments, foregroundCaps, foregroundSegments, memorySegments } from './segments';
import { StackedBar } from './StackedBar';
import { backgroundUse, cpuOfCapacity, standing } from './standing';
import { Processors } from './Processors';
import { Strays } from './Strays';
import { VmTable } from './VmTable';

/** NodePage shows one node: its capacity, its VMs, its events. */
export function NodePage() {
  const name = useParams().node!;
  const node = useQuery(nodeQuery(name));
  return (
    <Page title={name} actions={node.data && <NodeActions node={node.data} />}>
      {node.data ? (
        <NodeView node={node.data} />
      ) : node.error ? (
        <ProblemAlert error={node.error} retry={() => void node.refetch()} />
      ) : (
        <Loader aria-label="Loading the node" />
      )}
    </Page>
  );
}

function NodeView({ node }: { node: Node }) {
  const map = useQuery(mapOfQuery(node.name));
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="md">
          <NodeFacts node={node} />
          {map.data && (
            <Stack gap={4}>
              <Text size="xs" c="var(--aliquot-quiet)">CPU caps of the VMs in the foreground: {cpuOfCapacity(node.state, foregroundCaps(map.data), node.cpuMillicores)}, by VM</Text>
              <StackedBar label="CPU shares of the foreground VMs" segments={foregroundSegments(map.data)} standing={standing(node.state)} height={24} />
              {backgroundSegments(map.data).length > 0 && (
                <>
                  <Text size="xs" c="var(--aliquot-quiet)">CPU in the background: {backgroundUse(node)}, by VM</Text>
                  <StackedBar label="CPU caps of the background VMs" segments={backgroundSegments(map.data)} standing={standing(node.state)} height={12} />
                </>
              )}
              <Processors node={map.data} slots={node.slots} />
              <Text size="xs" c="var(--aliquot-quiet)">Memory charged, by VM</Text>
              <StackedBar label="Memory charged for the VMs" segments={memorySegments(map.data)} standing={standing(node.state)} height={12} />
            </Stack>
          )}
        </Stack>
      </Paper>
      {node.strays.length > 0 && <Strays node={node.name} runs={node.strays} />}
      <UrlTabs
        label="About this node"
        tabs={[
          { id: 'vms', label: 'VMs', content: <VmTable node={node.name} /> },
          { id: 'history', label: 'Over time', content: <NodeOverTime node={node.name} /> },
          { id: 'events', label: 'Events', content: <NodeHistory node={node.name} /> },
        ]}
      />
    </>
  );
}

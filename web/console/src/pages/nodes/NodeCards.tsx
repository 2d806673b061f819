import { Anchor, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { MapNode } from '../../api/map';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, cpu, plural } from '../../wording/amounts';
import { cpuSegments, memorySegments } from './segments';
import { StackedBar } from './StackedBar';
import { cpuOfCapacity, ofCapacity, remark, standing, stateInWords } from './standing';

/** NodeCards is the map of a cluster so small that the page can describe every node in words. */
export function NodeCards({ nodes }: { nodes: MapNode[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="sm">
      {nodes.map((node) => (
        <NodeCard key={node.name} node={node} />
      ))}
    </SimpleGrid>
  );
}

function NodeCard({ node }: { node: MapNode }) {
  const background = node.vms.reduce((sum, vm) => sum + (vm.tier === 'background' && !vm.arriving ? vm.capAskedMillicores : 0), 0);
  const shares = cpuOfCapacity(node.state, node.guaranteedMillicores, node.cpuMillicores);
  const memory = ofCapacity(node.state, bytes(node.memoryReservedBytes), bytes(node.memoryBytes));
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Node ${node.name}, ${stateInWords(node.state)}`}>
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Anchor component={Link} to={`/nodes/${node.name}`} fw={600} underline="hover" className="ellipsis" title={node.name}>
          {node.name}
        </Anchor>
        <Text size="sm" component="span">
          <StateBadge state={node.state} />
        </Text>
      </Group>
      <Amount name="CPU" amount={shares} />
      <StackedBar label={`CPU of ${node.name}: ${shares} granted`} segments={cpuSegments(node)} standing={standing(node.state)} height={20} />
      <Amount name="Memory" amount={memory} />
      <StackedBar label={`Memory of ${node.name}: ${memory} charged`} segments={memorySegments(node)} standing={standing(node.state)} height={10} />
      <Text size="xs" c="var(--aliquot-quiet)" mt={6}>
        {plural(node.vms.length, 'VM')}, {cpu(node.vms.reduce((sum, vm) => sum + vm.needMillicores, 0))} needed
        {background > 0 && `, up to ${cpu(background)} in the background`}
      </Text>
      {remark(node.state) && <Text size="xs">{remark(node.state)}</Text>}
    </Paper>
  );
}

function Amount({ name, amount }: { name: string; amount: string }) {
  return (
    <Group justify="space-between" gap={4} mt={4} mb={2} wrap="nowrap">
      <Text size="xs" c="var(--aliquot-quiet)">
        {name}
      </Text>
      <Text size="xs" className="number">
        {amount}
      </Text>
    </Group>
  );
}

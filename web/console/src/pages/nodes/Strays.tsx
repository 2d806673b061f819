import { Alert, Group, Text } from '@mantine/core';
import { useMay } from '../../api/session';
import { ActionButton } from '../../ui/ActionButton';
import { Icon } from '../../ui/Icon';
import { adoptStray, destroyStray } from './actions';

/** Strays lists VMs of the cluster that are not expected on a node. An operator decides about each. */
export function Strays({ node, runs }: { node: string; runs: string[] }) {
  const may = useMay('operator');
  return (
    <Alert color="red" variant="outline" icon={<Icon name="warning" />} title="Unexpected VMs of this cluster">
      <Text size="sm" mb="xs" c="var(--mantine-color-text)">
        They are frozen until you decide: adopt a VM if its task should continue in it, or destroy it if its work is not needed.
      </Text>
      {runs.map((run) => (
        <Group key={run} mb={4}>
          <Text size="sm" c="var(--mantine-color-text)">
            {run}
          </Text>
          {may && (
            <>
              <ActionButton size="compact-sm" action={adoptStray(node, run)} />
              <ActionButton size="compact-sm" action={destroyStray(node, run)} />
            </>
          )}
        </Group>
      ))}
    </Alert>
  );
}

import { Group, Text } from '@mantine/core';
import type { Overview } from '../../api/overview';
import { Panel } from '../../ui/Panel';
import { YieldHistogram } from '../../ui/YieldHistogram';
import { plural, yieldText } from '../../wording/amounts';

/** YieldPanel shows the least yield, the mean, and their distribution. */
export function YieldPanel({ overview }: { overview: Overview }) {
  const yields = overview.yield;
  return (
    <Panel title="Yield now" aside={yields && <Text size="sm">{plural(yields.jobs, 'job')} with a share</Text>}>
      {yields ? (
        <>
          <Group gap="xl" mb="xs">
            <Big name="least" value={yieldText(yields.least)} />
            <Big name="mean" value={yieldText(yields.mean)} />
          </Group>
          <YieldHistogram yields={yields} />
        </>
      ) : (
        <Text size="sm">No job holds a share now.</Text>
      )}
    </Panel>
  );
}

function Big({ name, value }: { name: string; value: string }) {
  return (
    <Group gap={8} align="baseline">
      <Text fz={32} fw={650} lh={1} className="number">
        {value}
      </Text>
      <Text size="sm" c="var(--aliquot-quiet)">
        {name}
      </Text>
    </Group>
  );
}

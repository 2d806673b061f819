import { Group, Text } from '@mantine/core';
import { StackedBar } from './StackedBar';

const samples = [
  { label: 'a VM: its share of the CPU, below of the memory; a colour per job', colour: '#0072b2', hatched: false },
  { label: 'background tier', colour: '#0072b2', hatched: true },
  { label: 'VMs that are not ours', colour: '#8a949c', hatched: true },
];

/** Legend explains the bars of the map. */
export function Legend() {
  return (
    <Group gap="lg" aria-label="Legend" role="note">
      {samples.map((sample) => (
        <Group key={sample.label} gap={6} wrap="nowrap">
          <div style={{ width: 24 }} aria-hidden="true">
            <StackedBar label="" segments={[{ ...sample, key: sample.label, fraction: 1 }]} height={12} />
          </div>
          <Text size="xs" c="var(--aliquot-quiet)">
            {sample.label}
          </Text>
        </Group>
      ))}
      <Text size="xs" c="var(--aliquot-quiet)">
        empty: free
      </Text>
    </Group>
  );
}

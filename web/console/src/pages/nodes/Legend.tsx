import { Group, Text } from '@mantine/core';
import type { Segment } from './segments';
import { StackedBar } from './StackedBar';
import type { Standing } from './standing';

const samples = [
  { label: 'a VM: its share of the CPU, below of the memory; a colour per job', colour: '#0072b2', hatched: false },
  { label: 'background tier', colour: '#0072b2', hatched: true },
  { label: 'foreign VMs', colour: '#8a949c', hatched: true },
];

const grounds: { label: string; standing: Standing }[] = [
  { label: 'free', standing: 'open' },
  { label: 'not for new VMs: the node is cordoned, drained, unreachable, stalled or just returning', standing: 'closed' },
  { label: 'not there: the node is lost', standing: 'lost' },
];

/** Legend explains the bars of the map. */
export function Legend() {
  return (
    <Group gap="lg" aria-label="Legend" role="note">
      {samples.map((sample) => (
        <Sample key={sample.label} label={sample.label} segments={[{ ...sample, key: sample.label, label: () => sample.label, fraction: 1 }]} />
      ))}
      {grounds.map((ground) => (
        <Sample key={ground.label} {...ground} segments={[]} />
      ))}
    </Group>
  );
}

function Sample({ label, segments, standing }: { label: string; segments: Segment[]; standing?: Standing }) {
  return (
    <Group gap={6} wrap="nowrap">
      <div style={{ width: 24 }} aria-hidden="true">
        <StackedBar label="" segments={segments} standing={standing} height={12} />
      </div>
      <Text size="xs" c="var(--aliquot-quiet)">
        {label}
      </Text>
    </Group>
  );
}

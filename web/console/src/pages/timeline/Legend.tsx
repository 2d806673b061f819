import { Group, Text } from '@mantine/core';
import classes from './Legend.module.css';

const samples = [
  { kind: 'runs', text: 'runs: as thick as its share of the CPU; a colour and a pattern per job' },
  { kind: 'back', text: 'runs in the background, on CPU that others leave' },
  { kind: 'moves', text: 'starts, moves, is paused or resumed, or is frozen' },
  { kind: 'promised', text: 'is promised for later; move the chart to the future' },
  { kind: 'waits', text: 'waits, is paused or held; seen by job' },
];

/** Legend explains the bars. */
export function Legend() {
  return (
    <Group gap="lg" role="note" aria-label="Legend">
      {samples.map(({ kind, text }) => (
        <Group key={kind} gap={6} wrap="nowrap">
          <span className={classes.sample} data-kind={kind} aria-hidden="true" />
          <Text size="xs" c="var(--aliquot-quiet)">
            {text}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

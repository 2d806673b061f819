import { Group, Text } from '@mantine/core';
import classes from './Meter.module.css';

interface Props {
  name: string;
  /** The amounts, each at most the whole, drawn over each other. The first is in the background. */
  parts: { name: string; value: number }[];
  whole: number;
  words: (value: number) => string;
}

/** Meter shows a capacity with the needed and the granted part. A need may exceed the capacity. */
export function Meter({ name, parts, whole, words }: Props) {
  const most = Math.max(whole, ...parts.map((part) => part.value), 1);
  const text = parts.map((part) => `${part.name} ${words(part.value)}`).join(', ');
  return (
    <div>
      <Group justify="space-between" gap={4} mb={4}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" className="number">
          {words(whole)}
        </Text>
      </Group>
      <div className={classes.track} role="img" aria-label={`${name}: ${words(whole)}; ${text}`}>
        {parts.map((part, i) => (
          <div key={part.name} className={classes.part} data-part={i} style={{ width: `${(100 * part.value) / most}%` }} />
        ))}
        <div className={classes.mark} style={{ left: `calc(${(100 * whole) / most}% - 2px)` }} />
      </div>
      <Group gap="md" mt={4}>
        {parts.map((part, i) => (
          <Group key={part.name} gap={6} wrap="nowrap">
            <span className={classes.key} data-part={i} />
            <Text size="xs" c="var(--aliquot-quiet)">
              {part.name} {words(part.value)}
            </Text>
          </Group>
        ))}
      </Group>
    </div>
  );
}

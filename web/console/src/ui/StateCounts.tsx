import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../wording/amounts';
import { StateBadge } from './StateBadge';

interface Props {
  counts: Record<string, number>;
  /** Address of the list of those in the state. */
  to: (state: string) => string;
  none: string;
}

// States of running and waiting jobs come before final ones.
const order = ['running', 'starting', 'moving', 'pausing', 'paused', 'waiting', 'dependent', 'held', 'stopping', 'succeeded', 'failed', 'cancelled', 'skipped', 'ready', 'unreachable', 'stalled', 'returning', 'cordoned', 'draining', 'drained', 'silent', 'down'];

/** Returns the states that something is in, with their numbers, in the order in which they are shown. */
export const present = (counts: Record<string, number>) =>
  Object.entries(counts).filter(([, amount]) => amount > 0).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));

/** StateCounts shows the number in each state. */
export function StateCounts({ counts, to, none }: Props) {
  const states = present(counts);
  if (states.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <Group style={{ rowGap: 6, columnGap: 20 }}>
      {states.map(([state, amount]) => (
        <Anchor key={state} component={Link} to={to(state)} size="sm" c="var(--mantine-color-text)" underline="hover">
          <Group gap={6} wrap="nowrap" component="span">
            <strong className="number">{count(amount)}</strong>{' '}
            <StateBadge state={state} />
          </Group>
        </Anchor>
      ))}
    </Group>
  );
}

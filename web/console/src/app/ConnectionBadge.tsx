import { Group, Text, Tooltip } from '@mantine/core';
import { useConnection } from '../live/LiveProvider';
import type { Connection } from '../live/feed';
import classes from './ConnectionBadge.module.css';

/** ConnectionBadge shows whether what is on the page is live. */
export function ConnectionBadge() {
  const connection = useConnection();
  const { word, explanation } = inWords(connection);
  return (
    <Tooltip label={explanation}>
      <Group gap={6} wrap="nowrap" role="status" aria-label={`${word}. ${explanation}`} tabIndex={0} className={classes.badge}>
        <span className={classes.dot} data-state={connection.state} />
        <Text size="sm" visibleFrom="xs" component="span">
          {word}
        </Text>
      </Group>
    </Tooltip>
  );
}

function inWords(connection: Connection): { word: string; explanation: string } {
  switch (connection.state) {
    case 'live':
      return { word: 'live', explanation: `Connected to replica ${connection.replica}: what happens is shown as it happens.` };
    case 'connecting':
      return { word: 'connecting', explanation: 'Connecting to a manager; what is shown may be old.' };
    case 'resting':
      return { word: 'resting', explanation: 'The connection rests while nobody looks.' };
    case 'lost':
      return { word: 'not live', explanation: `${connection.problem.detail}. What is shown may be old; the page tries again by itself.` };
  }
}

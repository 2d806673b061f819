import { Group, Text, Tooltip } from '@mantine/core';
import { useConnection } from '../live/LiveProvider';
import type { Connection } from '../live/feed';
import classes from './ConnectionBadge.module.css';

/** ConnectionBadge shows whether the page is live. */
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
      return { word: 'live', explanation: `Connected to replica ${connection.replica}: changes appear at once.` };
    case 'connecting':
      return { word: 'connecting', explanation: 'Connecting to a manager; the page may be out of date.' };
    case 'resting':
      return { word: 'resting', explanation: 'The connection is paused while the tab is hidden.' };
    case 'lost':
      return { word: 'not live', explanation: `${connection.problem.detail}. The page may be out of date; it tries again by itself.` };
  }
}

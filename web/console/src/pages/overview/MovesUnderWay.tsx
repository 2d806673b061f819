import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../api/overview';
import { Moment } from '../../ui/Moment';
import { Panel } from '../../ui/Panel';
import { count, plural } from '../../wording/amounts';
import { moveSentence } from '../../wording/plan';

const shown = 8;

/** MovesUnderWay lists the moves in progress. */
export function MovesUnderWay({ overview }: { overview: Overview }) {
  const booting = overview.tasks['booting'] ?? 0;
  const rest = overview.movesUnderWay - Math.min(shown, overview.moves.length);
  return (
    <Panel title="Moves in progress">
      {overview.movesUnderWay === 0 && <Text size="sm">No moves are in progress.</Text>}
      <List size="sm" spacing={2}>
        {overview.moves.slice(0, shown).map((move) => (
          <List.Item key={`${move.job}/${move.task}`}>
            {moveSentence(move)}, since <Moment at={move.started} />{' '}
            {move.job && (
              <Anchor component={Link} to={`/jobs/${move.job}`} size="sm">
                {move.job}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
      {booting > 0 && <Text size="sm">{plural(booting, 'VM')} still boot{booting === 1 ? 's' : ''}.</Text>}
      {rest > 0 && <Text size="sm">…and {count(rest)} more.</Text>}
    </Panel>
  );
}

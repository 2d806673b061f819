import { Anchor, Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../api/overview';
import { Panel } from '../../ui/Panel';
import { sentence } from '../../ui/ProblemAlert';
import { Prose } from '../../ui/Prose';
import { count } from '../../wording/amounts';
import classes from './AttentionList.module.css';

const few = 4;
type Item = Overview['attention'][number];

/** AttentionList lists issues that need attention, the worst first, with advice. */
export function AttentionList({ items, more }: { items: Item[]; more: number }) {
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, items.length - few);
  return (
    <Panel title="Needs attention">
      <List listStyleType="none" spacing="xs">
        {items.slice(0, items.length - hidden).map((item) => (
          <List.Item key={item.code + (item.job ?? '') + (item.node ?? '') + item.text} className={classes.item} data-severity={item.severity}>
            <Text size="sm" component="div" className="wrap-anywhere">
              <strong className={classes.word}>{item.severity}</strong> {sentence(item.text)} <ItemLink item={item} />
            </Text>
            <Text size="sm" c="var(--aliquot-quiet)">
              <Prose text={item.help} />
            </Text>
          </List.Item>
        ))}
      </List>
      {hidden > 0 && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setAll(true)}>
          Show {count(hidden)} more
        </Button>
      )}
      {hidden === 0 && more > 0 && (
        <Text size="sm" mt="xs">
          …and {count(more)} more.
        </Text>
      )}
    </Panel>
  );
}

// For advice that names a command, the console offers a button or link instead.
const remedies: Record<string, { to?: string; words: string }> = {
  jobs_failed: { to: '/jobs?states=failed', words: 'List the failed jobs' },
  jobs_starve: { to: '/jobs?states=waiting,paused', words: 'List the jobs without a share' },
  no_nodes: { to: '/nodes', words: 'Let a node join' },
  no_store: { to: '/nodes?view=table', words: 'Show the nodes' },
  manager: { to: '/about', words: 'Show the managers' },
  promises_at_risk: { to: '/reservations', words: 'Show the reservations' },
  strays: { words: 'Adopt or destroy them' },
  node_drained: { words: 'Uncordon it' },
};

function ItemLink({ item }: { item: Item }) {
  const remedy = remedies[item.code];
  const to = remedy?.to ?? (item.job ? `/jobs/${item.job}` : item.node ? `/nodes/${item.node}` : undefined);
  if (!to) return null;
  return (
    <Anchor component={Link} to={to} size="sm">
      {remedy?.words ?? `Show ${item.job ?? item.node}`}
    </Anchor>
  );
}

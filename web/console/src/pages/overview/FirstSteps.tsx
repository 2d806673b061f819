import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../api/overview';
import { useMay } from '../../api/session';
import { Panel } from '../../ui/Panel';

/** FirstSteps appears on the overview of a cluster to which nothing was submitted yet. */
export function FirstSteps({ overview }: { overview: Overview }) {
  const nodes = Object.keys(overview.nodes).length;
  const may = useMay('user');
  if (Object.keys(overview.jobs).length > 0) return null;
  return (
    <Panel title="First steps">
      <List size="sm" type="ordered" spacing={4}>
        {nodes === 0 && (
          <List.Item>
            <Anchor component={Link} to="/nodes" size="sm">
              Let a node join
            </Anchor>
            : jobs need somewhere to run.
          </List.Item>
        )}
        {may && (
          <List.Item>
            <Anchor component={Link} to="/jobs/submit" size="sm">
              Submit a job
            </Anchor>
            : the form says where it would start before you send it.
          </List.Item>
        )}
        <List.Item>A job's page shows its share, the reason, and its output.</List.Item>
      </List>
      <Text size="sm" mt="xs" c="var(--aliquot-quiet)">
        Every job gets a fraction of the CPU that it could use, its yield; the policy keeps the least yield as high as it can.
      </Text>
    </Panel>
  );
}

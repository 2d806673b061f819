import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../../api/overview';
import { Panel } from '../../ui/Panel';
import { YieldHistogram } from '../../ui/YieldHistogram';
import { count, plural, yieldText } from '../../wording/amounts';

/** YieldPanel shows the least yield of all jobs that may run, the mean, the jobs without a share, and the distribution. */
export function YieldPanel({ overview }: { overview: Overview }) {
  const yields = overview.yield;
  return (
    <Panel title="Yield now" aside={yields && <Text size="sm">{plural(yields.jobs, 'standard job')} that may run</Text>}>
      {yields ? (
        <>
          <Group gap="xl" mb="xs">
            <Big name="least" value={yieldText(yields.least)} alarming={yields.without > 0} />
            <Big name="mean" value={yieldText(yields.mean)} />
            {yields.without > 0 && (
              <Anchor component={Link} to="/jobs?states=waiting,paused" underline="hover" c="inherit">
                <Big name="without a share" value={count(yields.without)} alarming />
              </Anchor>
            )}
          </Group>
          <YieldHistogram yields={yields} />
          <Text size="xs" c="var(--aliquot-quiet)" mt={4}>
            The yield is the granted part of a job’s CPU need; jobs that wait or are paused count as 0.
          </Text>
        </>
      ) : (
        <Text size="sm">There is no standard job that may run.</Text>
      )}
    </Panel>
  );
}

function Big({ name, value, alarming }: { name: string; value: string; alarming?: boolean }) {
  return (
    <Group gap={8} align="baseline">
      <Text fz={32} fw={650} lh={1} className="number" c={alarming ? 'var(--aliquot-wait)' : undefined}>
        {value}
      </Text>
      <Text size="sm" c="var(--aliquot-quiet)">
        {name}
      </Text>
    </Group>
  );
}

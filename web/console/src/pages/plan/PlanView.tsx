import { Grid, Stack } from '@mantine/core';
import type { Plan } from '../../api/client';
import { Facts } from '../../ui/Facts';
import { MoveList } from '../../ui/MoveList';
import { Panel } from '../../ui/Panel';
import { PlanSummary } from '../../ui/PlanSummary';
import { RefusalList } from '../../ui/RefusalList';
import { YieldHistogram } from '../../ui/YieldHistogram';
import { count, duration, yieldText } from '../../wording/amounts';
import { list } from '../../wording/plan';
import { JobOutlooks } from './JobOutlooks';
import { NodeOutlooks } from './NodeOutlooks';

/** PlanView shows a whole plan: gain and cost, moves with reasons, and the changes for jobs and nodes. */
export function PlanView({ plan }: { plan: Plan }) {
  const reasons = new Map(plan.jobs.map((job) => [job.job, job.why?.text ?? '']));
  return (
    <Stack gap="md">
      <Panel title="Gain against cost">
        <Stack gap="sm">
          <PlanSummary plan={plan} />
          <Facts
            facts={[
              { name: 'Least yield of placed jobs', help: 'Jobs without a share are not counted. The last number is the upper bound for any placement of these jobs', value: leastYield(plan) },
              ...(plan.weighed ? [{ name: 'Progress', help: `Within ${duration(plan.weighed.horizonSeconds)} at most; only a plan that gains ${plan.weighed.margin} times its cost is carried out`, value: weight(plan.weighed) }] : []),
              { name: 'Mean yield', value: `${yieldText(plan.yields.before?.mean)} → ${yieldText(plan.yields.after?.mean)}` },
              { name: 'Jobs with a share', value: `${count(plan.runningBefore)} → ${count(plan.runningAfter)}` },
              { name: 'Jobs that would be paused', value: list(plan.paused) || 'none' },
            ]}
          />
        </Stack>
      </Panel>
      {plan.yields.before && plan.yields.after && (
        <Grid>
          <Grid.Col span={{ base: 12, sm: 6 }}>
            <Panel title="Yields before">
              <YieldHistogram yields={plan.yields.before} label="Jobs by yield before" />
            </Panel>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 6 }}>
            <Panel title="Yields after">
              <YieldHistogram yields={plan.yields.after} label="Jobs by yield after" />
            </Panel>
          </Grid.Col>
        </Grid>
      )}
      <Panel title="Moves">
        <MoveList moves={plan.moves} blocked={plan.blocked} reasons={reasons} />
      </Panel>
      {plan.nodes.length > 0 && (
        <Panel title="Nodes, before and after">
          <NodeOutlooks nodes={plan.nodes} />
        </Panel>
      )}
      {plan.jobs.length > 0 && (
        <Panel title="Jobs, before and after">
          <JobOutlooks jobs={plan.jobs} />
        </Panel>
      )}
      {plan.refusals.length > 0 && (
        <Panel title="Jobs that would fail, because they could never run">
          <RefusalList plan={plan} />
        </Panel>
      )}
    </Stack>
  );
}

function leastYield({ yieldBefore, yieldAfter, yieldBound }: Plan): string {
  const bound = yieldBound === undefined ? '' : `, of at most ${yieldText(yieldBound)}`;
  return `${yieldText(yieldBefore)} → ${yieldText(yieldAfter)}${bound}`;
}

function weight({ gainSeconds, costSeconds }: NonNullable<Plan['weighed']>): string {
  return `gains ${duration(gainSeconds)}, costs ${duration(costSeconds)}`;
}

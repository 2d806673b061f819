import { Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '../../api/client';
import { applyPlan, planName, planQuery } from '../../api/plan';
import { useMay } from '../../api/session';
import { useEvents } from '../../live/LiveProvider';
import { EmptyState } from '../../ui/EmptyState';
import { useNotify } from '../../ui/Notifications';
import { failure, useOnce } from '../../ui/once';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { isStale, StalePlan } from '../../ui/StalePlan';
import { PlanView } from './PlanView';

const rebalance = {}; // the next periodic decision, now

/** PlanPage shows the next rebalancing as a dry run, which can be applied or discarded. */
export function PlanPage() {
  const may = useMay('user');
  const [wanted, setWanted] = useState(true);
  const plan = useQuery({ ...planQuery(rebalance), enabled: may && wanted });
  const client = useQueryClient();
  const discard = () => {
    setWanted(false);
    client.removeQueries({ queryKey: planQuery(rebalance).queryKey });
  };
  const again = () => (wanted ? void plan.refetch() : setWanted(true));
  return (
    <Page title="Plan" actions={may && <Button variant="default" onClick={again} loading={plan.isFetching}>Plan again</Button>}>
      <Text size="sm" maw={760}>
        What the policy would do if its periodic decision were made now. Nothing is changed until it is applied, and then exactly this is done, or nothing if
        the cluster has changed meanwhile or another manager leads.
      </Text>
      {!may && <EmptyState title="Planning needs the role user">Your role may only read.</EmptyState>}
      {plan.error && <ProblemAlert error={plan.error} retry={() => void plan.refetch()} />}
      {may && wanted && plan.isPending && !plan.error && <Loader aria-label="Deciding" />}
      {!wanted && <EmptyState title="The plan is discarded">Nothing was changed.</EmptyState>}
      {wanted && plan.data && (
        <>
          <Verdict plan={plan.data} discard={discard} renew={() => void plan.refetch()} />
          <PlanView plan={plan.data} />
        </>
      )}
    </Page>
  );
}

function Verdict({ plan, discard, renew }: { plan: Plan; discard: () => void; renew: () => void }) {
  const operator = useMay('operator');
  const notify = useNotify();
  const once = useOnce();
  const apply = useMutation({
    mutationFn: () => once(planName(plan, rebalance), (key) => applyPlan(plan, rebalance, key)),
    onSuccess: () => {
      notify.done('The plan is being carried out');
      renew();
    },
    onError: (error) => {
      if (isStale(error)) renew();
    },
  });
  const outdated = useOutdated(plan.basis);
  if (plan.jobs.length === 0 && plan.moves.length === 0) {
    const title = plan.blocked.length > 0 ? 'No move is possible at present' : 'No beneficial move';
    return (
      <EmptyState title={title}>
        The policy would leave everything as it is, at revision {plan.basis}{plan.weighed ? `: ${plan.weighed.text}` : ''}.
      </EmptyState>
    );
  }
  return (
    <>
      <StalePlan error={apply.error} then="Below is the present plan: apply it, or discard it." />
      {apply.error && !isStale(apply.error) && <ProblemAlert error={apply.error} title={failure(apply.error, 'The plan was not applied')} />}
      <Group>
        {operator && (
          <Button onClick={() => apply.mutate()} loading={apply.isPending}>
            Apply now
          </Button>
        )}
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        <Text size="sm" c="var(--aliquot-quiet)" role="status">
          Made for revision {plan.basis}
          {outdated && '; the cluster has changed since: plan again'}
        </Text>
      </Group>
    </>
  );
}

/** Reports whether an event has happened after that revision, so that a plan for it can no longer be applied. */
function useOutdated(basis: number): boolean {
  const [seen, see] = useState(0);
  useEvents(({ revision }) => {
    if (revision > basis && seen <= basis) see(revision);
  });
  return seen > basis;
}

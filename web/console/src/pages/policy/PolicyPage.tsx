import { Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Link } from 'react-router';
import { idempotencyKey, type Hypothesis, type Plan } from '../../api/client';
import { applyPlan, planName, planQuery } from '../../api/plan';
import { policyQuery, setPolicy, type Policy } from '../../api/policy';
import { faultsByField, problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useNotify } from '../../ui/Notifications';
import { failure, useOnce } from '../../ui/once';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { PlanSummary } from '../../ui/PlanSummary';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { RefusalList } from '../../ui/RefusalList';
import { isStale, StalePlan } from '../../ui/StalePlan';
import { PolicyName } from './PolicyName';
import { PolicyTable } from './PolicyTable';
import { QuotaPanel } from './QuotaPanel';

/** PolicyPage shows the policy in force and the effect of another one. */
export function PolicyPage() {
  const policy = useQuery(policyQuery);
  const admin = useMay('admin');
  return (
    <Page title="Policy">
      {policy.error && <ProblemAlert error={policy.error} retry={() => void policy.refetch()} />}
      {policy.isPending && !policy.error && <Loader aria-label="Loading the policy" />}
      {policy.data && (
        <>
          <Panel title="In force">
            <PolicyName name={policy.data.name} />
            <Text size="sm" mt="xs">
              Periodic decisions, if it makes any, every {policy.data.period ?? '–'}. <Anchor component={Link} to="/plan" size="sm">Show the next decision</Anchor>
            </Text>
          </Panel>
          {admin ? <Choice now={policy.data} /> : <Text size="sm">Setting the policy needs the role admin.</Text>}
          {!admin && (
            <Panel title="Available policies">
              <PolicyTable now={policy.data.name} />
            </Panel>
          )}
        </>
      )}
      <QuotaPanel />
    </Page>
  );
}

/** Choice is the form of another policy, and the list to choose from. */
function Choice({ now }: { now: Policy }) {
  const [wish, setWish, forget] = useSessionStorage<Policy>({ key: 'aliquot-policy-draft', defaultValue: now, getInitialValueInEffect: false });
  const form = useRef<HTMLDivElement>(null);
  const choose = useCallback((name: string) => {
    setWish((old) => ({ ...old, name }));
    form.current?.scrollIntoView({ block: 'nearest' });
  }, [setWish]);
  return (
    <>
      <div ref={form}>
        <PolicyForm now={now} wish={wish} setWish={setWish} forget={forget} />
      </div>
      <Panel title="Available policies">
        <PolicyTable now={now.name} onChoose={choose} />
      </Panel>
    </>
  );
}

interface FormProps {
  now: Policy;
  wish: Policy;
  setWish: (wish: Policy) => void;
  forget: () => void;
}

function PolicyForm({ now, wish, setWish, forget }: FormProps) {
  const [settled] = useDebouncedValue(wish, 500);
  const changed = wish.name !== now.name || wish.period !== now.period;
  const hypothesis: Hypothesis = { policy: settled };
  const askable = changed && wish.name !== '' && wish === settled;
  const plan = useQuery({ ...planQuery(hypothesis), enabled: askable });
  const announced = askable && !plan.error ? plan.data : undefined;
  const [asking, setAsking] = useState(false);
  const notify = useNotify();
  const once = useOnce();
  const setBack = () =>
    void setPolicy(now, idempotencyKey()).then(
      () => notify.done(`The policy is ${now.name} again`),
      (error: unknown) => notify.problem(error, failure(error, 'The policy was not set back')),
    );
  const change = useMutation({
    mutationFn: (plan: Plan) => once(planName(plan, hypothesis), (key) => applyPlan(plan, hypothesis, key)),
    onSuccess: () => notify.done(`The policy is ${settled.name}`, { label: 'Set it back', run: setBack }),
    onError: (error) => {
      if (isStale(error)) void plan.refetch();
    },
    onSettled: () => setAsking(false),
  });
  const faults = plan.error ? faultsByField(problemOf(plan.error)) : {};
  return (
    <Panel title="Change the policy">
      <Stack maw={720}>
        <TextInput
          label="Policy"
          description="By its published name; those that run MCB8 take parameters after it, like /opt=min/minvt=600, and those with /cores like /per-node=8"
          value={wish.name}
          error={wish.name ? faults['policy.name'] : 'choose one of the policies below'}
          onChange={(event) => setWish({ ...wish, name: event.currentTarget.value })}
        />
        <TextInput
          label="Period"
          description="Between periodic decisions, like 10m"
          value={wish.period ?? ''}
          error={faults['policy.period']}
          onChange={(event) => setWish({ ...wish, period: event.currentTarget.value || undefined })}
        />
        {changed && plan.error && Object.keys(faults).length === 0 && <ProblemAlert error={plan.error} />}
        {announced && (
          <div aria-live="polite">
            <Text size="sm" fw={600}>
              Effect of setting it now:
            </Text>
            <PlanSummary plan={announced} />
            <Refused plan={announced} />
          </div>
        )}
        <StalePlan error={change.error} then="Above is its present effect: set it, or start over." />
        {change.error && !isStale(change.error) && <ProblemAlert error={change.error} title={failure(change.error, 'The policy was not set')} />}
        <Group>
          <Button disabled={!announced} loading={change.isPending || plan.isFetching} onClick={() => setAsking(true)}>
            Set it…
          </Button>
          <Button variant="default" disabled={!changed} onClick={forget}>
            Start over
          </Button>
        </Group>
      </Stack>
      {announced && (
        <ConfirmDialog
          opened={asking}
          confirm={{ title: `Set the policy ${settled.name}?`, verb: 'Set it', body: <Consequences now={now.name} wish={settled.name} plan={announced} /> }}
          pending={change.isPending}
          onCancel={() => setAsking(false)}
          onConfirm={() => change.mutate(announced)}
        />
      )}
    </Panel>
  );
}

/** Consequences are both policies in words, and what the new one does at once. */
function Consequences({ now, wish, plan }: { now: string; wish: string; plan: Plan }) {
  return (
    <Stack gap="xs">
      <Text size="sm">It decides about all jobs from now on:</Text>
      <PolicyName name={wish} />
      <Text size="sm">instead of</Text>
      <PolicyName name={now} />
      <Text size="sm" fw={600}>
        At once:
      </Text>
      <PlanSummary plan={plan} />
      <Refused plan={plan} />
    </Stack>
  );
}

/** Refused lists the jobs that would fail, if there are any. */
function Refused({ plan }: { plan: Plan }) {
  if (plan.refusals.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="xs">Jobs that would fail, because they could never run:</Text>
      <RefusalList plan={plan} />
    </>
  );
}

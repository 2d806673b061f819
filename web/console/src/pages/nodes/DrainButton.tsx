import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { idempotencyKey, type Node, type Plan } from '../../api/client';
import { uncordonNode } from '../../api/nodes';
import { applyPlan, planName, planQuery } from '../../api/plan';
import { Moment } from '../../ui/Moment';
import { MoveList } from '../../ui/MoveList';
import { useNotify } from '../../ui/Notifications';
import { isDoubtful, useOnce } from '../../ui/once';
import { PlanSummary } from '../../ui/PlanSummary';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { isStale, StalePlan } from '../../ui/StalePlan';

/** DrainButton shows the effect of draining a node, and then does exactly that. */
export function DrainButton({ node }: { node: Node }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" className="danger" onClick={() => setOpened(true)}>
        Drain…
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Drain ${node.name}?`} size="xl">
        <DrainPreview node={node} close={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function DrainPreview({ node, close }: { node: Node; close: () => void }) {
  const hypothesis = { drain: node.name };
  const plan = useQuery({ ...planQuery(hypothesis), staleTime: 0, gcTime: 0 });
  const notify = useNotify();
  const once = useOnce();
  const drain = useMutation({
    mutationFn: (announced: Plan) => once(planName(announced, hypothesis), (key) => applyPlan(announced, hypothesis, key)),
    onSuccess: () => {
      close();
      notify.done(`${node.name} is draining`, {
        label: 'Undo: uncordon',
        run: () =>
          void uncordonNode(node.name, idempotencyKey()).then(
            () => notify.done(`${node.name} takes VMs again`),
            (error: unknown) => notify.problem(error, `${node.name} still drains`),
          ),
      });
    },
    onError: (error) => {
      if (isStale(error)) void plan.refetch();
      // After a drain the node's page has no such dialog any more, so a notice shows the outcome.
      if (isDoubtful(error)) notify.problem(error, `${node.name} may be draining; you can safely repeat it`);
    },
  });
  return (
    <Stack>
      <Text size="sm">
        {node.name} takes no new VMs, and those that are there move away or are paused without losing work. Uncordoning it ends that, but does not bring VMs back.
      </Text>
      {plan.error && <ProblemAlert error={plan.error} retry={() => void plan.refetch()} />}
      <StalePlan error={drain.error} then={`Below is the present plan: drain ${node.name}, or close this.`} />
      {drain.error && !isStale(drain.error) && !isDoubtful(drain.error) && <ProblemAlert error={drain.error} title="The node was not drained" />}
      {plan.isPending && !plan.error && <Text size="sm">Computing the plan…</Text>}
      {plan.data && (
        <>
          <BrokenPromises list={plan.data.broken} />
          <PlanSummary plan={plan.data} />
          <MoveList moves={plan.data.moves} blocked={plan.data.blocked} />
        </>
      )}
      <Group justify="end">
        <Button variant="default" onClick={close} data-autofocus>
          Leave it
        </Button>
        <Button color="red.8" disabled={!plan.data} loading={drain.isPending || plan.isFetching} onClick={() => drain.mutate(plan.data!)}>
          Drain {node.name}{plan.data && plan.data.broken.length > 0 && ' and break promises'}
        </Button>
      </Group>
    </Stack>
  );
}

/** BrokenPromises warns of the promises that a drain would break. */
function BrokenPromises({ list }: { list: Plan['broken'] }) {
  if (list.length === 0) return null;
  return (
    <Alert color="red" title={list.length === 1 ? 'A promise would break' : `${list.length} promises would break`}>
      {list.map((it) => (
        <Text size="sm" key={it.job}>
          {it.job} of {it.owner}, promised from <Moment at={it.from} brief /> to <Moment at={it.until} brief />: no other node has room then
        </Text>
      ))}
    </Alert>
  );
}

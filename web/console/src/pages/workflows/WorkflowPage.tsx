import { Anchor, Group, Loader, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useMaySteer } from '../../api/session';
import { workflowQuery, type Step, type Workflow } from '../../api/workflows';
import { ActionButton } from '../../ui/ActionButton';
import { momentWidth, type Column } from '../../ui/column';
import { Facts } from '../../ui/Facts';
import { Moment } from '../../ui/Moment';
import { Page } from '../../ui/Page';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { VirtualTable } from '../../ui/VirtualTable';
import { cancel, resume } from './actions';
import { Graph } from './Graph';
import { drawable } from './layout';
import { tally } from './words';

/** WorkflowPage shows one workflow: its graph, and its tasks with what they wait for. */
export function WorkflowPage() {
  const id = useParams().workflow!;
  const query = useQuery(workflowQuery(id));
  const workflow = query.data;
  return (
    <Page title={workflow?.name ? `${id} ${workflow.name}` : id} actions={workflow && <Actions of={workflow} />}>
      {workflow ? (
        <View of={workflow} />
      ) : query.error ? (
        <ProblemAlert error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loader aria-label="Loading the workflow" />
      )}
    </Page>
  );
}

function View({ of }: { of: Workflow }) {
  const steps = of.tasks ?? [];
  return (
    <>
      <Paper withBorder p="md">
        <Group gap="sm" align="baseline" mb="sm">
          <Text size="lg" fw={600} component="div">
            <StateBadge state={of.state} />
          </Text>
          <Text role="status">{tally(of.states)}</Text>
        </Group>
        <Facts
          facts={[
            { name: 'Owner, project', value: `${of.owner}, ${of.project}` },
            { name: 'Submitted', value: <Moment at={of.submitted} /> },
            { name: 'Ended', value: <Moment at={of.ended} /> },
          ]}
        />
      </Paper>
      {drawable(steps) ? <Graph steps={steps} /> : <Text size="sm">The graph has too many lines to be drawn. The table tells what each task waits for.</Text>}
      <VirtualTable label="Tasks of the workflow" columns={columns} rows={steps} rowKey={(it) => it.name} height="auto" />
    </>
  );
}

const columns: Column<Step>[] = [
  { id: 'task', header: 'Task', width: 160, cell: (it) => it.name },
  { id: 'job', header: 'Job', width: 80, cell: (it) => <JobLink to={it.job} /> },
  { id: 'state', header: 'State', width: 116, cell: (it) => <StateBadge state={it.state} /> },
  { id: 'after', header: 'After', width: 190, help: 'Tasks that must have ended before, and how', cell: (it) => it.after.join(', ') || '–' },
  { id: 'why', header: 'Why', cell: (it) => (it.why ? sentence(it.why) : '–') },
  { id: 'started', header: 'Started', width: momentWidth.brief, cell: (it) => <Moment at={it.started} /> },
  { id: 'ended', header: 'Ended', width: momentWidth.brief, cell: (it) => <Moment at={it.ended} /> },
];

function JobLink({ to }: { to: string }) {
  return (
    <Anchor component={Link} to={`/jobs/${to}`} size="sm">
      {to}
    </Anchor>
  );
}

function Actions({ of }: { of: Workflow }) {
  if (!useMaySteer(of)) return null;
  const lost = (of.states.failed ?? 0) + (of.states.cancelled ?? 0);
  return (
    <>
      {lost > 0 && <ActionButton action={resume(of, lost)} />}
      {!of.ended && <ActionButton action={cancel(of)} />}
    </>
  );
}

import { Anchor, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { workflowsQuery, type Workflow } from '../../api/workflows';
import { momentWidth, type Column } from '../../ui/column';
import { EmptyState } from '../../ui/EmptyState';
import { Moment } from '../../ui/Moment';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { VirtualTable } from '../../ui/VirtualTable';
import { count } from '../../wording/amounts';
import { tally } from './words';

/** WorkflowsPage lists the workflows. */
export function WorkflowsPage() {
  const query = useQuery(workflowsQuery);
  const list = query.data?.workflows;
  return (
    <Page title="Workflows">
      <Text size="sm">Jobs that wait for each other, submitted at once. A task runs when those that it waits for have ended as it needs.</Text>
      {query.error && <ProblemAlert error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loader aria-label="Loading the workflows" />}
      {list?.length === 0 && <EmptyState title="There is no workflow">Write one in a file, and submit it: aliquot workflow submit survey.yaml. Its --help shows how.</EmptyState>}
      {list && list.length > 0 && <VirtualTable label="Workflows" columns={columns} rows={list} rowKey={(it) => it.id} />}
    </Page>
  );
}

const columns: Column<Workflow>[] = [
  { id: 'workflow', header: 'Workflow', width: 220, cell: (it) => <WorkflowLink of={it} /> },
  { id: 'owner', header: 'Owner', width: 110, cell: (it) => it.owner },
  { id: 'state', header: 'State', width: 116, cell: (it) => <StateBadge state={it.state} /> },
  { id: 'done', header: 'Done', width: 90, align: 'end', help: 'Tasks that have succeeded, of all', cell: (it) => `${count(it.states.succeeded ?? 0)} of ${count(total(it))}` },
  { id: 'tasks', header: 'Tasks', cell: (it) => tally(it.states) },
  { id: 'submitted', header: 'Submitted', width: momentWidth.short, cell: (it) => <Moment at={it.submitted} /> },
  { id: 'ended', header: 'Ended', width: momentWidth.short, cell: (it) => <Moment at={it.ended} /> },
];

const total = (of: Workflow) => Object.values(of.states).reduce((sum, it) => sum + it, 0);

function WorkflowLink({ of }: { of: Workflow }) {
  return (
    <Anchor component={Link} to={`/workflows/${of.id}`} size="sm">
      {`${of.id} ${of.name ?? ''}`.trim()}
    </Anchor>
  );
}

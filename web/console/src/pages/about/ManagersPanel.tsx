import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { managersQuery, type Manager } from '../../api/managers';
import type { Column } from '../../ui/column';
import { Panel } from '../../ui/Panel';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { VirtualTable } from '../../ui/VirtualTable';
import { count } from '../../wording/amounts';

/** ManagersPanel shows all replicas: the leader, each one's revision, and its problems. */
export function ManagersPanel() {
  const managers = useQuery(managersQuery);
  return (
    <Panel title="Managers">
      {managers.error && <ProblemAlert error={managers.error} retry={() => void managers.refetch()} />}
      {managers.isPending && !managers.error && <Loader aria-label="Asking the managers" />}
      {managers.data && (
        <>
          <Text size="sm" mb="xs" role="status">
            {quorum(managers.data.managers)}
          </Text>
          <VirtualTable label="Managers" columns={columns} rows={managers.data.managers} rowKey={(manager) => String(manager.replica)} height="auto" />
        </>
      )}
    </Panel>
  );
}

/** Describes how many managers answer, and how many more may fail. */
export function quorum(managers: Manager[]): string {
  const well = managers.filter((manager) => manager.status === 'ok').length;
  const majority = Math.floor(managers.length / 2) + 1;
  if (managers.length === 1) return 'There is one manager. With three, one may fail and the others go on.';
  if (well < majority) return `${well} of ${managers.length} managers are well; without ${majority} of them nothing can be changed.`;
  const spare = well - majority;
  return `${well} of ${managers.length} managers are well; ${spare === 0 ? 'if one more fails' : `if more than ${spare} of them fail`}, nothing can be changed.`;
}

function role(manager: Manager): string {
  if (manager.revision === undefined) return '–';
  return manager.leads ? 'leader' : 'follower';
}

function format(manager: Manager): string {
  const { format, latestFormat } = manager;
  if (format === undefined) return '–';
  return latestFormat !== undefined && latestFormat > format ? `${format} of ${latestFormat}` : `${format}`;
}

const columns: Column<Manager>[] = [
  { id: 'replica', header: 'Replica', width: 110, cell: (manager) => `${manager.replica}${manager.answers ? ' (this one)' : ''}` },
  { id: 'status', header: 'Health', width: 130, cell: (manager) => <StateBadge state={manager.status} /> },
  { id: 'role', header: 'Role', width: 80, cell: role },
  { id: 'revision', header: 'Revision', help: 'Index in the replicated log that it has applied', width: 100, align: 'end', cell: (manager) => manager.revision ?? '–' },
  { id: 'behind', header: 'Behind', help: 'Revisions behind the newest replica; a few are normal', width: 80, align: 'end', cell: (manager) => manager.behind === undefined ? '–' : count(manager.behind) },
  { id: 'format', header: 'Format', help: 'Format of the replicated state, which fixes the rules in force. A higher one comes into force once every manager understands it', width: 80, align: 'end', cell: format },
  { id: 'address', header: 'Address', width: 190, cell: (manager) => manager.address ?? '–' },
  { id: 'version', header: 'Version', width: 140, cell: (manager) => manager.version ?? '–' },
  { id: 'problem', header: 'Problem', width: 260, cell: (manager) => (manager.problem ? sentence(manager.problem) : '–') },
];

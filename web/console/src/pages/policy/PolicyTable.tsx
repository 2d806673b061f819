import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { policiesQuery, type PolicyLine } from '../../api/policy';
import type { Column } from '../../ui/column';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import { rowOf } from './row';

interface Props {
  /** The name of the policy in force. */
  now: string;
  /** Called with the chosen policy; left out: the user may not choose. */
  onChoose?: (name: string) => void;
}

/** PolicyTable lists the available policies. */
export function PolicyTable({ now, onChoose }: Props) {
  const policies = useQuery(policiesQuery);
  const columns = useMemo(() => {
    const inForce = rowOf(now, policies.data?.policies ?? [])?.name;
    return columnsOf(inForce, onChoose);
  }, [now, policies.data, onChoose]);
  if (policies.error) return <ProblemAlert error={policies.error} retry={() => void policies.refetch()} />;
  if (!policies.data) return <Loader aria-label="Loading the policies" />;
  return <VirtualTable label="Policies" columns={columns} rows={policies.data.policies} rowKey={(policy) => policy.name} height={420} />;
}

const families = { backfill: 'whole nodes or cores', dfrs: 'fractions', tiered: 'two tiers of a node' };

function columnsOf(inForce: string | undefined, onChoose?: (name: string) => void): Column<PolicyLine>[] {
  const columns: Column<PolicyLine>[] = [
    { id: 'name', header: 'Name', width: 240, cell: (policy) => <code>{policy.name}</code> },
    { id: 'family', header: 'Gives jobs', width: 170, cell: (policy) => <span title={policy.family}>{families[policy.family]}</span> },
    { id: 'about', header: 'Description', width: 440, cell: (policy) => policy.about },
  ];
  if (onChoose || inForce) {
    columns.push({
      id: 'choose', header: 'Choose', width: 110,
      cell: (policy) => {
        if (policy.name === inForce) return 'in force';
        return onChoose && <Button size="compact-sm" variant="default" onClick={() => onChoose(policy.name)} aria-label={`Try ${policy.name}`}>Try</Button>;
      },
    });
  }
  return columns;
}

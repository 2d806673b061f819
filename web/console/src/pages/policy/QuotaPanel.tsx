import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { quotasQuery, type Quota } from '../../api/quotas';
import type { Column } from '../../ui/column';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import { bytes, count, cpu, cpuOf } from '../../wording/amounts';

/** QuotaPanel lists the quotas with what jobs take of them. */
export function QuotaPanel() {
  const quotas = useQuery(quotasQuery);
  return (
    <Panel title="Quotas">
      <Text size="sm" mb="sm">
        What the jobs of a project or an owner take until they end, and the most that they may. Admins set quotas with{' '}
        <code>aliquot quota set</code>.
      </Text>
      {quotas.error && <ProblemAlert error={quotas.error} retry={() => void quotas.refetch()} />}
      {quotas.isPending && !quotas.error && <Loader aria-label="Loading the quotas" />}
      {quotas.data?.quotas.length === 0 && <Text size="sm">There are no quotas.</Text>}
      {quotas.data && quotas.data.quotas.length > 0 && <VirtualTable label="Quotas" columns={columns} rows={quotas.data.quotas} rowKey={holder} height={300} />}
    </Panel>
  );
}

/** Says whose quota it is. */
function holder({ project, owner }: Quota): string {
  const [kind, name] = project ? ['project', project] : ['owner', owner ?? ''];
  return name === '*' ? `each other ${kind}` : `${kind} ${name}`;
}

function amount(id: string, header: string, width: number, of: keyof Quota['most'], words: (value: number) => string, part = partOf(words)): Column<Quota> {
  return { id, header, width, align: 'end', cell: (quota) => inWords(quota, of, words, part) };
}

const partOf = (words: (value: number) => string) => (used: number, most: number) => `${words(used)} of ${words(most)}`;

/** A limit of zero is none. A quota for all others has no use of its own. */
function inWords(quota: Quota, of: keyof Quota['most'], words: (value: number) => string, part: (used: number, most: number) => string): string {
  const [used, most] = [quota.used[of], quota.most[of]];
  if ((quota.project || quota.owner) === '*') return most > 0 ? `at most ${words(most)}` : 'no limit';
  return most > 0 ? part(used, most) : words(used);
}

const columns: Column<Quota>[] = [
  { id: 'holder', header: 'Of', width: 150, cell: holder },
  amount('jobs', 'Jobs', 90, 'jobs', count),
  amount('tasks', 'Tasks', 110, 'tasks', count),
  amount('cpu', 'CPU', 130, 'cpuMillicores', cpu, cpuOf),
  amount('memory', 'Memory', 150, 'memoryBytes', bytes),
  amount('output', 'Output', 150, 'logBytes', bytes),
  { id: 'weight', header: 'Weight', help: 'In the sharing of the cluster', width: 90, align: 'end', cell: (quota) => `${count(quota.weight)} %` },
  amount('specs', 'Specifications', 140, 'specBytes', bytes),
];

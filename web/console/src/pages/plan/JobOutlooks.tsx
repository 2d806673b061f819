import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '../../api/client';
import type { Column } from '../../ui/column';
import { Names } from '../../ui/Names';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { yieldText } from '../../wording/amounts';

type Outlook = Plan['jobs'][number];

/** JobOutlooks lists the jobs that a plan changes. */
export function JobOutlooks({ jobs }: { jobs: Outlook[] }) {
  const [sort, setSort] = useSort(columns, '', 'jobsort');
  return <VirtualTable label="Jobs, before and after" columns={columns} rows={jobs} rowKey={(job) => job.job} sort={sort} onSort={setSort} height={400} />;
}

const columns: Column<Outlook>[] = [
  {
    id: 'job', header: 'Job', width: 90, value: (job) => Number(job.job.slice(1)),
    cell: (job) => (
      <Anchor component={Link} to={`/jobs/${job.job}`} size="sm">
        {job.job}
      </Anchor>
    ),
  },
  { id: 'before', header: 'Yield before', width: 110, align: 'end', value: (job) => job.yieldBefore, cell: (job) => yieldIn(job.yieldBefore, job.tierBefore) },
  { id: 'after', header: 'Yield after', width: 110, align: 'end', value: (job) => job.yieldAfter, cell: (job) => yieldIn(job.yieldAfter, job.tierAfter) },
  { id: 'from', header: 'Nodes before', cell: (job) => nodes(job.nodesBefore, `nodes of ${job.job} before`) },
  { id: 'to', header: 'Nodes after', cell: (job) => nodes(job.nodesAfter, `nodes of ${job.job} after`) },
  { id: 'why', header: 'Because', cell: (job) => job.why?.text ?? '' },
];

/** In the background a job has no yield. */
const yieldIn = (of: number | undefined, tier: Outlook['tierAfter']) => (tier === 'background' ? tier : yieldText(of));

function nodes(ofTasks: string[], label: string) {
  return ofTasks.length > 0 ? <Names names={[...new Set(ofTasks)]} label={label} /> : 'none';
}

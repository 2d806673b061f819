import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '../../api/client';
import type { Column } from '../../ui/column';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import { yieldText } from '../../wording/amounts';

type Outlook = Plan['jobs'][number];

/** JobOutlooks lists the jobs for which a plan changes something. */
export function JobOutlooks({ jobs }: { jobs: Outlook[] }) {
  const [sort, setSort] = useUrlState('jobsort');
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
  { id: 'before', header: 'Yield before', width: 110, align: 'end', value: (job) => job.yieldBefore, cell: (job) => yieldText(job.yieldBefore) },
  { id: 'after', header: 'Yield after', width: 110, align: 'end', value: (job) => job.yieldAfter, cell: (job) => yieldText(job.yieldAfter) },
  { id: 'from', header: 'Nodes before', width: 180, cell: (job) => names(job.nodesBefore) },
  { id: 'to', header: 'Nodes after', width: 180, cell: (job) => names(job.nodesAfter) },
  { id: 'why', header: 'Because', width: 360, cell: (job) => <span title={job.why?.text}>{job.why?.text ?? ''}</span> },
];

function names(nodes: string[]) {
  const text = [...new Set(nodes)].join(', ');
  return text ? <span title={text}>{text}</span> : 'none';
}

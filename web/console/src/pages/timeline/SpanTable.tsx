import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Span } from '../../api/spans';
import { momentWidth, type Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { cpu, duration } from '../../wording/amounts';

/** SpanTable shows the chart's content as text. */
export function SpanTable({ spans }: { spans: Span[] }) {
  const [sort, setSort] = useSort(columns, '-from');
  return (
    <VirtualTable
      label="Spans"
      columns={columns}
      rows={spans}
      rowKey={(span) => `${span.job}/${span.task ?? ''}/${span.run ?? ''}/${span.from}/${span.state}`}
      sort={sort}
      onSort={setSort}
    />
  );
}

const lasted = (span: Span) => (Date.parse(span.to ?? new Date().toISOString()) - Date.parse(span.from)) / 1000;

const columns: Column<Span>[] = [
  {
    id: 'job', header: 'Job', width: 90, value: (span) => Number(span.job.slice(1)),
    cell: (span) => (
      <Anchor component={Link} to={`/jobs/${span.job}`} size="sm">
        {span.job}
      </Anchor>
    ),
  },
  { id: 'task', header: 'Task', width: 80, align: 'end', value: (span) => span.task, cell: (span) => span.task ?? 'all' },
  { id: 'state', header: 'State', width: 120, value: (span) => span.state, cell: (span) => <StateBadge state={span.state} /> },
  { id: 'node', header: 'Node', width: 130, value: (span) => span.node, cell: (span) => span.node ?? '–' },
  { id: 'share', header: 'Share', width: 120, align: 'end', value: (span) => span.shareMillicores, cell: (span) => (span.node ? cpu(span.shareMillicores) : '–') },
  { id: 'tier', header: 'Tier', width: 120, value: (span) => span.tier ?? (span.node ? 'foreground' : undefined), cell: (span) => span.tier ?? (span.node ? 'foreground' : '–') },
  { id: 'from', header: 'From', width: momentWidth.short, value: (span) => span.from, cell: (span) => <Moment at={span.from} /> },
  { id: 'length', header: 'For', width: 110, align: 'end', value: lasted, cell: (span) => duration(lasted(span)) },
  { id: 'text', header: 'Because', width: 320, cell: (span) => span.text },
];

import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Reservation } from '../../api/reservations';
import { momentWidth, type Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { bytes, count, cpu, duration, price } from '../../wording/amounts';
import { spans } from './calendar';
import { IntervalBar } from './IntervalBar';
import type { Span } from './span';

/** The columns of the table of reservations. Their bars share one axis. */
export function columnsOf(span: Span): Column<Reservation>[] {
  return [
    { id: 'job', header: 'Job', width: 130, cell: (it) => <JobLink of={it} /> },
    { id: 'owner', header: 'Owner', width: 90, cell: (it) => it.owner },
    { id: 'state', header: 'State', width: 104, cell: (it) => <StateBadge state={it.state.replace('_', ' ')} /> },
    { id: 'from', header: 'From', width: momentWidth.short, cell: (it) => <Moment at={it.from} /> },
    { id: 'for', header: 'For', width: 100, align: 'end', cell: (it) => lasts(it) },
    { id: 'cpu', header: 'CPU', width: 110, align: 'end', help: 'Tasks × CPU of each', cell: (it) => `${count(it.tasks)} × ${cpu(it.cpuMillicores)}` },
    { id: 'memory', header: 'Memory', width: 90, align: 'end', help: 'Of each task, with the overhead of its VM', cell: (it) => bytes(it.memoryBytes) },
    { id: 'price', header: 'Price', width: 90, align: 'end', help: 'In core-hours, as it was agreed', cell: (it) => price(it.priceCoreHours) },
    { id: 'nodes', header: 'Nodes', width: 130, cell: (it) => [...new Set(it.nodes)].join(', ') || '–' },
    { id: 'interval', header: 'Interval', help: 'From now to the end of the last reservation', cell: (it) => <IntervalBar span={span} of={it} /> },
  ];
}

/** Returns how long a promise lasts, all parts together. */
function lasts(it: Reservation): string {
  const whole = duration(spans(it).reduce((sum, { from, until }) => sum + until - from, 0) / 1000);
  return it.parts ? `${whole} in ${it.parts.length} parts` : whole;
}

function JobLink({ of }: { of: Reservation }) {
  return (
    <Anchor component={Link} to={`/jobs/${of.job}`} size="sm">
      {`${of.job} ${of.name}`.trim()}
    </Anchor>
  );
}

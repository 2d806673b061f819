import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../../api/client';
import type { Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';
import { eventSentence, isBad } from '../../wording/events';
import classes from './columns.module.css';

/** The columns of the table of events. */
export const eventColumns: Column<Event>[] = [
  { id: 'at', header: 'Time', width: 210, cell: (event) => <Moment at={event.at} full /> },
  { id: 'kind', header: 'Kind', width: 150, cell: (event) => <span className={isBad(event) ? classes.bad : undefined}>{event.kind.replaceAll('_', ' ')}</span> },
  { id: 'what', header: 'What happened', cell: (event) => <span title={eventSentence(event)}>{eventSentence(event)}</span> },
  { id: 'job', header: 'Job', width: 80, cell: (event) => event.job && <ThingLink to={`/jobs/${event.job}`} name={event.job} /> },
  { id: 'node', header: 'Node', width: 120, cell: (event) => event.node && <ThingLink to={`/nodes/${event.node}`} name={event.node} /> },
  { id: 'id', header: 'Revision', width: 100, align: 'end', cell: (event) => event.revision },
];

function ThingLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {name}
    </Anchor>
  );
}

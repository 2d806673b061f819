import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../../api/client';
import { momentWidth, type Column } from '../../ui/column';
import { EventSentence } from '../../ui/EventSentence';
import { Moment } from '../../ui/Moment';
import { eventSentence, isBad } from '../../wording/events';
import classes from './columns.module.css';

/** The columns of the table of events. */
export const columns: Column<Event>[] = [
  { id: 'at', header: 'Time', width: momentWidth.full, cell: (event) => <Moment at={event.at} full /> },
  { id: 'kind', header: 'Kind', width: 140, cell: (event) => <span className={weight(event)}>{event.kind.replaceAll('_', ' ')}</span> },
  { id: 'what', header: 'What happened', cell: eventSentence },
  { id: 'job', header: 'Job', width: 80, cell: (event) => event.job && <ThingLink to={`/jobs/${event.job}`} name={event.job} /> },
  { id: 'node', header: 'Node', width: 100, cell: (event) => event.node && <ThingLink to={`/nodes/${event.node}`} name={event.node} /> },
  { id: 'id', header: 'Revision', width: 90, align: 'end', cell: (event) => event.revision },
];

/** On a phone, the sentence links to the job and the nodes that it names. */
export const narrowColumns: Column<Event>[] = [
  { id: 'at', header: 'Time', width: 104, cell: (event) => <span className={classes.moment}><Moment at={event.at} /></span> },
  { id: 'what', header: 'What happened', cell: (event) => <span className={weight(event)}><EventSentence event={event} /></span> },
];

const weight = (event: Event) => (isBad(event) ? classes.bad : undefined);

function ThingLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {name}
    </Anchor>
  );
}

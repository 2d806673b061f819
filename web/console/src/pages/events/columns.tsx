import { Anchor, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../../api/client';
import { groupSentence } from '../../wording/eventGroups';
import type { Line } from './lines';
import { momentWidth, type Column } from '../../ui/column';
import { EventSentence } from '../../ui/EventSentence';
import { Moment } from '../../ui/Moment';
import { eventSentence, isBad } from '../../wording/events';
import classes from './columns.module.css';

/** Returns the columns of the table of events. A group is opened and closed by its sentence. */
export const columns = (toggle: (group: string) => void): Column<Line>[] => [
  { id: 'at', header: 'Time', width: momentWidth.full, cell: ({ event }) => <Moment at={event.at} full /> },
  { id: 'kind', header: 'Kind', width: 140, cell: ({ event }) => <span className={weight(event)}>{event.kind.replaceAll('_', ' ')}</span> },
  { id: 'what', header: 'What happened', cell: (line) => (line.group ? <GroupButton line={line} toggle={toggle} /> : <span className={line.inside ? classes.inside : undefined}>{eventSentence(line.event)}</span>) },
  { id: 'job', header: 'Job', width: 80, cell: ({ event, group }) => !group && event.job && <ThingLink to={`/jobs/${event.job}`} name={event.job} /> },
  { id: 'node', header: 'Node', width: 100, cell: ({ event, group }) => !group && event.node && <ThingLink to={`/nodes/${event.node}`} name={event.node} /> },
  { id: 'id', header: 'Revision', width: 90, align: 'end', cell: ({ event }) => event.revision },
];

/** On a phone, the sentence links to the job and the nodes that it names. */
export const narrowColumns = (toggle: (group: string) => void): Column<Line>[] => [
  { id: 'at', header: 'Time', width: 104, cell: ({ event }) => <span className={classes.moment}><Moment at={event.at} /></span> },
  { id: 'what', header: 'What happened', cell: (line) => (line.group ? <GroupButton line={line} toggle={toggle} /> : <span className={weight(line.event)}><EventSentence event={line.event} /></span>) },
];

function GroupButton({ line: { group, open }, toggle }: { line: Line; toggle: (group: string) => void }) {
  return (
    <UnstyledButton className={classes.group} aria-expanded={open} onClick={() => toggle(group!.id)}>
      {open ? '▾' : '▸'} {groupSentence(group!)}
    </UnstyledButton>
  );
}

const weight = (event: Event) => (isBad(event) ? classes.bad : undefined);

function ThingLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {name}
    </Anchor>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../api/client';
import { eventSentence, isBad } from '../wording/events';
import classes from './EventList.module.css';
import { Moment } from './Moment';

interface Props {
  events: Event[];
  more?: () => void;
  loading?: boolean;
}

/** EventList tells events as a timeline, newest first. */
export function EventList({ events, more, loading }: Props) {
  if (events.length === 0) return <Text c="var(--aliquot-quiet)">Nothing has happened yet, or it is no longer kept.</Text>;
  return (
    <>
      <ol className={classes.list}>
        {events.map((event) => (
          <li key={event.id} className={classes.item} data-bad={isBad(event) || undefined}>
            <span className={classes.time}>
              <Moment at={event.at} />
            </span>
            <span className="wrap-anywhere">
              {eventSentence(event)} <EventLink event={event} />
            </span>
          </li>
        ))}
      </ol>
      {more && (
        <Button variant="default" size="xs" onClick={more} loading={loading}>
          Older events
        </Button>
      )}
    </>
  );
}

function EventLink({ event }: { event: Event }) {
  const to = event.job ? `/jobs/${event.job}` : event.node ? `/nodes/${event.node}` : undefined;
  if (!to) return null;
  return (
    <Anchor component={Link} to={to} size="sm">
      {event.job ?? event.node}
    </Anchor>
  );
}

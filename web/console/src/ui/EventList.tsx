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
  /** The page is about this, so nothing links to it. */
  about?: string;
}

/** EventList tells events as a timeline, newest first. */
export function EventList({ events, more, loading, about }: Props) {
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
              {eventSentence(event)} <EventLink event={event} about={about} />
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

function EventLink({ event, about }: { event: Event; about?: string }) {
  const thing = event.job && event.job !== about ? event.job : event.node;
  if (!thing || thing === about) return null;
  const to = thing === event.job ? `/jobs/${thing}` : `/nodes/${thing}`;
  return (
    <Anchor component={Link} to={to} size="sm">
      {thing}
    </Anchor>
  );
}

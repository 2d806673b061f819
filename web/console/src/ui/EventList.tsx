import { Button, Text } from '@mantine/core';
import type { Event } from '../api/client';
import { isBad } from '../wording/events';
import classes from './EventList.module.css';
import { EventSentence } from './EventSentence';
import { Moment } from './Moment';

interface Props {
  events: Event[];
  more?: () => void;
  loading?: boolean;
  /** The page is about this object, so nothing links to it. */
  about?: string;
}

/** EventList shows events as a timeline, newest first. */
export function EventList({ events, more, loading, about }: Props) {
  if (events.length === 0) return <Text c="var(--aliquot-quiet)">There are no events, or they are no longer kept.</Text>;
  return (
    <>
      <ol className={classes.list}>
        {events.map((event) => (
          <li key={event.id} className={classes.item} data-bad={isBad(event) || undefined}>
            <span className={classes.time}>
              <Moment at={event.at} />
            </span>
            <span className="wrap-anywhere">
              <EventSentence event={event} about={about} />
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

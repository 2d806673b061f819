import { Button, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Event } from '../api/client';
import { groupSentence, groupsOf } from '../wording/eventGroups';
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
  /** The most lines; left out: all. */
  most?: number;
}

/** EventList shows events as a timeline, newest first, many of a kind as one. */
export function EventList({ events, more, loading, about, most }: Props) {
  const groups = useMemo(() => groupsOf(events).slice(0, most), [events, most]);
  if (events.length === 0) return <Text c="var(--aliquot-quiet)">There are no events, or they are no longer kept.</Text>;
  return (
    <>
      <ol className={classes.list}>
        {groups.map(({ id, event, events }) => (
          <li key={id} className={classes.item} data-bad={isBad(event) || undefined}>
            <span className={classes.time}>
              <Moment at={event.at} />
            </span>
            <span className="wrap-anywhere">
              {events.length > 1 ? groupSentence({ id, event, events }) : <EventSentence event={event} about={about} />}
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

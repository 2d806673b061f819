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
              <Sentence event={event} about={about} />
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

/** The sentence of an event, in which the job and the nodes that it names lead to their pages; those that it does not name follow it. */
function Sentence({ event, about }: { event: Event; about?: string }) {
  const addresses = new Map([event.from, event.node].filter((node) => node !== undefined).map((node) => [node, `/nodes/${node}`]));
  if (event.job) addresses.set(event.job, `/jobs/${event.job}`);
  if (about) addresses.delete(about);
  const names = [...addresses.keys()];
  const named = parts(eventSentence(event), names);
  const unnamed = names.filter((name) => !named.includes(name)).flatMap((name) => [' ', name]);
  return [...named, ...unnamed].map((part, i) => {
    const to = addresses.get(part);
    if (!to) return part;
    return (
      <Anchor key={i} component={Link} to={to} size="sm">
        {part}
      </Anchor>
    );
  });
}

/** Cuts a text where it names something: "n1" is not named by "n1.lab". */
export function parts(text: string, names: string[]): string[] {
  if (names.length === 0) return [text];
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.split(new RegExp(`(?<![\\w.-])(${escaped.join('|')})(?![\\w-]|\\.\\w)`));
}

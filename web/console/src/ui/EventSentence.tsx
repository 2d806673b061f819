import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Event } from '../api/client';
import { eventSentence } from '../wording/events';

interface Props {
  event: Event;
  /** The page is about this object, so nothing links to it. */
  about?: string;
}

/**
 * EventSentence is the sentence of an event. The job and the nodes that it names link to their pages; those that it
 * does not name follow in parentheses.
 */
export function EventSentence({ event, about }: Props) {
  const addresses = new Map([event.from, event.node].filter((node) => node !== undefined).map((node) => [node, `/nodes/${node}`]));
  if (event.job) addresses.set(event.job, `/jobs/${event.job}`);
  if (about) addresses.delete(about);
  const names = [...addresses.keys()];
  const named = parts(eventSentence(event), names);
  const unnamed = names.filter((name) => !named.includes(name)).flatMap((name) => [', ', name]).slice(1);
  const whole = unnamed.length > 0 ? [...named, ' (', ...unnamed, ')'] : named;
  return whole.map((part, i) => {
    const to = addresses.get(part);
    if (!to) return part;
    return (
      <Anchor key={i} component={Link} to={to} size="sm">
        {part}
      </Anchor>
    );
  });
}

/** Cuts a text at the given names. "n1" does not occur in "n1.lab". */
export function parts(text: string, names: string[]): string[] {
  if (names.length === 0) return [text];
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.split(new RegExp(`(?<![\\w.-])(${escaped.join('|')})(?![\\w-]|\\.\\w)`));
}

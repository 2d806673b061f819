import type { Event } from '../../api/client';
import { groupsOf, type EventGroup } from '../../wording/eventGroups';

/** Line is a row of the table of events: an event, or a group, whose events follow while it is open. */
export interface Line {
  id: string;
  event: Event;
  group?: EventGroup;
  open?: boolean;
  /** The event belongs to the open group above. */
  inside?: boolean;
}

/** Returns the rows of the table; `opened` are the groups that are open. */
export function linesOf(events: Event[], opened: Set<string>): Line[] {
  return groupsOf(events).flatMap((group): Line[] => {
    if (group.events.length === 1) return [{ id: group.id, event: group.event }];
    const head: Line = { id: group.id, event: group.event, group, open: opened.has(group.id) };
    return head.open ? [head, ...group.events.map((event): Line => ({ id: event.id, event, inside: true }))] : [head];
  });
}

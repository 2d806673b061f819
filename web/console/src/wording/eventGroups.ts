import type { Event } from '../api/client';
import { count } from './amounts';

/** EventGroup is an event, or several of one kind and by one person in one minute. */
export interface EventGroup {
  id: string;
  /** The newest one. */
  event: Event;
  /** All of them, the newest first. */
  events: Event[];
}

const least = 4; // fewer things are shown one by one
const minute = 60_000;

/** Groups events, which are newest first. A group is at the place of its newest event; bad news stay single. */
export function groupsOf(events: Event[]): EventGroup[] {
  const alike = new Map<string, Event[]>();
  for (const event of events) {
    const group = alike.get(keyOf(event));
    if (group) group.push(event);
    else alike.set(keyOf(event), [event]);
  }
  const grouped = new Set([...alike].filter(([, group]) => many(group)).map(([id]) => id));
  return events.flatMap((event): EventGroup[] => {
    const id = keyOf(event);
    if (!grouped.has(id)) return [{ id: event.id, event, events: [event] }];
    const group = alike.get(id)!;
    return group[0] === event ? [{ id, event, events: group }] : [];
  });
}

const keyOf = (event: Event) => (plurals[event.kind] ? `${event.kind} ${event.actor ?? ''} ${Math.floor(Date.parse(event.at) / minute)}` : event.id);

const many = (events: Event[]) => new Set(events.map((event) => `${event.job}/${event.task}`)).size >= least;

/** Returns a group as a sentence: "500 jobs were submitted, by admin". */
export function groupSentence({ event, events }: EventGroup): string {
  const things = new Set(events.map((it) => (it.task === undefined ? it.job : `${it.job}/${it.task}`))).size;
  const by = event.actor && event.actor !== 'system' ? `, by ${event.actor}` : '';
  return `${count(things)} ${event.kind.startsWith('job_') ? 'jobs' : 'tasks'} ${plurals[event.kind]}${by}`;
}

const plurals: Record<string, string> = {
  job_submitted: 'were submitted', job_held: 'are held', job_released: 'were released', job_dependent: 'wait for other jobs', job_eligible: 'may run now', job_ending: 'are ending', job_ended: 'have ended',
  job_placed: 'were placed', job_unplaced: 'lost their placement', job_killed: 'start anew', job_promised: 'are promised their intervals',
  job_repromised: 'have new nodes for their promises', job_promise_broken: 'lost their promises', job_overran: 'go on without their promises', job_part_over: 'wait for the next parts of their promises', task_starting: 'start', task_started: 'run', task_resized: 'got other shares',
  task_pausing: 'are being paused', task_paused: 'are paused', task_resuming: 'resume', task_resumed: 'run again', task_migrating: 'are moving',
  task_migrated: 'moved', task_stopping: 'are being stopped', task_stopped: 'were stopped', task_exited: 'exited',
};

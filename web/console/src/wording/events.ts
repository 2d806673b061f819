import type { Event } from '../api/client';
import { cpu } from './amounts';

/** Returns an event as a sentence without its time: "task 0 of j7 moved from n1 to n2: freed memory for j9". */
export function eventSentence(event: Event): string {
  const words = says[event.kind];
  const sentence = words ? words(event, subject(event)) : `${event.kind.replaceAll('_', ' ')} ${subject(event)}`.trim();
  const named = event.actor && event.actor !== 'system' && !event.text?.endsWith(`by ${event.actor}`) && !sentence.endsWith(` for ${event.actor}`);
  const by = named ? `, by ${event.actor}` : '';
  return sentence + by + (event.text ? `: ${event.text}` : '');
}

/** Returns the subject of an event. */
function subject(event: Event): string {
  if (event.job && event.task !== undefined) return `task ${event.task} of ${event.job}`;
  return event.job ?? event.node ?? '';
}

const on = (event: Event) => (event.node ? ` on ${event.node}` : '');
const share = (event: Event) => (event.shareMillicores ? ` with ${cpu(event.shareMillicores)}${beneath(event)}` : '');

const beneath = (event: Event) => (event.tier ? ' in the background' : '');

type Words = (event: Event, who: string) => string;
const says: Record<string, Words> = {
  job_submitted: (_, who) => `${who} was submitted`,
  job_held: (_, who) => `${who} is held`,
  job_released: (_, who) => `${who} was released`,
  job_dependent: (_, who) => `${who} waits for other jobs`,
  job_eligible: (_, who) => `${who} may run now`,
  job_ending: (_, who) => `${who} is ending`,
  job_ended: (_, who) => `${who} has ended`,
  job_placed: (event, who) => `${who} was placed${event.shareMillicores ? ` with ${cpu(event.shareMillicores)} per task${beneath(event)}` : ''}`,
  job_unplaced: (_, who) => `${who} lost its placement`,
  job_killed: (_, who) => `${who} starts anew; its work was given up`,
  job_promised: (_, who) => `${who} has a promise`,
  job_repromised: (_, who) => `the promise to ${who} has new nodes`,
  job_promise_broken: (_, who) => `${who} lost its promise`,
  job_overran: (_, who) => `${who} goes on without its promise`,
  job_part_over: (_, who) => `${who} runs as any other job until the next part of its promise`,
  task_starting: (event, who) => `${who} starts${on(event)}${share(event)}`,
  task_started: (event, who) => `${who} runs${on(event)}`,
  task_resized: (event, who) => `${who} got ${cpu(event.shareMillicores ?? 0)}${beneath(event)}${on(event)}`,
  task_pausing: (event, who) => `${who} is being paused${on(event)}`,
  task_paused: (event, who) => `${who} is paused${on(event)}`,
  task_resuming: (event, who) => `${who} resumes${on(event)}${share(event)}`,
  task_resumed: (event, who) => `${who} runs again${on(event)}`,
  task_migrating: (event, who) => `${who} is moving from ${event.from} to ${event.node}`,
  task_migrated: (event, who) => `${who} moved from ${event.from} to ${event.node}`,
  task_stopping: (event, who) => `${who} is being stopped${on(event)}`,
  task_stopped: (event, who) => `${who} was stopped${on(event)}`,
  task_exited: (event, who) => `${who} exited${on(event)}`,
  task_lost: (event, who) => `${who} was lost${on(event)}`,
  task_found: (event, who) => `${who} was found${on(event)}`,
  task_frozen: (event, who) => `${who} is frozen${on(event)}`,
  task_thawed: (event, who) => `${who} runs again${on(event)}`,
  move_failed: (event, who) => (event.from ? `a move of ${who} from ${event.from} to ${event.node} failed` : `a move of ${who} failed${on(event)}`),
  task_quarantined: (_, who) => `${who} is left alone for a while after failed moves`,
  node_invited: (_, who) => `${who} was invited`,
  node_admitted: (_, who) => `${who} was given a certificate`,
  node_joined: (_, who) => `${who} joined`,
  node_ready: (_, who) => `${who} is ready`,
  node_silent: (_, who) => `${who} is silent`,
  node_down: (_, who) => `${who} is down`,
  node_cordoned: (_, who) => `${who} is cordoned`,
  node_draining: (_, who) => `${who} is draining`,
  job_rescheduled: (_, who) => `the end of the promise to ${who} was moved`,
  offer_made: ({ actor }) => `an alternative is offered and held${actor ? ` for ${actor}` : ''}`,
  offer_accepted: (_, who) => `an offer was accepted as ${who}`,
  offer_declined: () => 'an offer was declined',
  offer_expired: () => 'an offer has expired',
  offer_withdrawn: () => 'an offer was withdrawn, as it may have no room any more',
  standing_made: () => 'a standing reservation was made',
  standing_cancelled: () => 'a standing reservation was cancelled',
  standing_ended: () => 'a standing reservation is over',
  standing_lacking: () => 'an occurrence of a standing reservation finds no room yet',
  standing_missed: () => 'an occurrence of a standing reservation found no room',
  node_maintenance: (_, who) => `maintenance of ${who} is planned`,
  node_maintenance_cancelled: (_, who) => `maintenance of ${who} is cancelled`,
  node_uncordoned: (_, who) => `${who} takes VMs again`,
  node_stray: (event) => `a stray VM${event.job ? ` of ${event.job}` : ''} was found${on(event)}`,
  node_unreachable: (_, who) => `${who} has lost its connection`,
  node_reachable: (_, who) => `${who} is connected again`,
  node_hypervisor_silent: (_, who) => `the hypervisor of ${who} does not answer`,
  node_hypervisor_back: (_, who) => `the hypervisor of ${who} answers again`,
  node_barred: (_, who) => `${who} is barred`,
  node_removed: (_, who) => `${who} was removed`,
  leader_claimed: () => 'a manager took the lead',
  policy_set: () => 'the policy was set',
  image_put: () => 'an image was pushed',
  image_removed: () => 'an image was removed',
  quota_set: () => 'a quota was set',
  subnet_set: () => 'the subnet of VMs was set',
  theta_set: ({ text }) => `theta, the limit of prices, was set${text ? ` to ${text}` : ''}`,
  token_created: () => 'a token was created',
  token_revoked: () => 'a token was revoked',
  replica_diverged: () => 'a replica diverged and stopped',
  backup_imported: () => 'a backup was imported',
  format_raised: () => 'all managers understand a higher format, which is now in force',
  time_set: () => 'the cluster’s time was set',
};

/** The kinds of events, for filters. */
export const eventKinds = Object.keys(says);

/** Reports whether an event is bad news. */
export function isBad(event: Event): boolean {
  return ['move_failed', 'task_lost', 'node_unreachable', 'node_silent', 'node_down', 'replica_diverged', 'node_stray', 'standing_missed', 'node_hypervisor_silent', 'task_quarantined'].includes(event.kind);
}

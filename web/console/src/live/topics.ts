import type { QueryKey } from '@tanstack/react-query';
import type { Event } from '../api/client';

/** Returns the beginnings of the keys of queries whose answers an event has changed. */
export function changedBy(event: Event): QueryKey[] {
  const keys: QueryKey[] = [['overview']];
  if (event.job) keys.push(['jobs'], ['job', event.job], ['workflows'], ['workflow']);
  if (event.node) keys.push(['nodes'], ['node', event.node]);
  if (event.from) keys.push(['node', event.from]);
  return [...keys, ...(byKind[event.kind] ?? [])];
}

const byKind: Record<string, QueryKey[]> = {
  job_promised: [['reservations']],
  job_repromised: [['reservations']],
  job_promise_broken: [['reservations']],
  job_overran: [['reservations']],
  job_part_over: [['reservations']],
  job_ending: [['reservations']],
  job_ended: [['reservations']],
  policy_set: [['policy']],
  theta_set: [['theta']],
  quota_set: [['quotas']],
  image_put: [['images']],
  image_removed: [['images']],
  token_created: [['tokens']],
  token_revoked: [['tokens']],
  leader_claimed: [['health'], ['managers'], ['nodes'], ['jobs']],
  format_raised: [['health'], ['managers']],
  backup_imported: [['jobs'], ['nodes'], ['policy'], ['quotas'], ['images'], ['tokens']],
};

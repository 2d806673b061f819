import type { Problem } from '../api/problem';

const titles: Record<string, string> = {
  malformed: 'The request is malformed',
  unauthorized: 'You are not logged in',
  cross_site: 'The request came from another site',
  forbidden: 'You may not do that',
  not_found: 'Not found',
  no_logs: 'There is no output',
  no_results: 'No files are kept',
  store_silent: 'The store does not answer',
  method_not_allowed: 'The server does not support that',
  conflict: 'That is not possible now',
  stale_basis: 'The cluster has changed',
  image_in_use: 'The image is in use',
  last_admin: 'It is the last token of an admin',
  cannot_be_promised: 'This cannot be promised',
  quota_exceeded: 'The quota is used up',
  limit_reached: 'There are too many',
  resume_too_old: 'The events are no longer kept',
  too_large: 'It is too large',
  unsupported_media_type: 'The server does not read that',
  invalid: 'The request is not valid',
  need_exceeds_every_node: 'No node has that much CPU',
  memory_exceeds_every_node: 'No node has that much memory',
  tasks_exceed_cluster: 'The cluster is too small',
  no_allowed_node: 'No node fits',
  unknown_image: 'There is no such image',
  idempotency_key_reused: 'The request was repeated with other contents',
  rate_limited: 'That was too fast',
  too_many_streams: 'Too many connections are open',
  stale_epoch: 'Another manager has taken over',
  no_leader: 'No manager leads',
  outcome_unknown: 'The outcome is unknown',
  internal_bug: 'The server failed',
  internal: 'The server failed',
  unreachable: 'No connection',
  console: 'The console failed',
};

/** Returns a short title for a problem's code. A newer or foreign server may use unknown codes. */
export function problemTitle({ code, status }: Problem): string {
  return titles[code] ?? (status >= 500 ? 'The server failed' : 'It was refused');
}

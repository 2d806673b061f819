import { Text } from '@mantine/core';
import { hasCode, problemOf } from '../api/problem';
import { RefusedAgain } from './once';
import { sentence } from './ProblemAlert';

/** Reports whether a plan was refused because it is no longer the manager's latest. */
export const isStale = (error: unknown) => hasCode(error, 'stale_basis');

/** StalePlan reports that a plan was refused as outdated, whether anything was done, and the next step. */
export function StalePlan({ error, then }: { error: unknown; then: string }) {
  if (!isStale(error)) return null;
  const why = sentence(problemOf(error).detail.replace(/: request the plan again$/, ''));
  const done = error instanceof RefusedAgain ? 'The first attempt may have succeeded: check the present state. This one was refused.' : 'Nothing was done.';
  return (
    <Text size="sm" role="status">
      {done} {why} {then}
    </Text>
  );
}

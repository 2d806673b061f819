import { Text } from '@mantine/core';
import { hasCode, problemOf } from '../api/problem';
import { RefusedAgain } from './once';
import { sentence } from './ProblemAlert';

/** Whether a plan was not carried out since it is not the manager's latest any more. */
export const isStale = (error: unknown) => hasCode(error, 'stale_basis');

/** StalePlan says that a plan was refused as old, whether anything was done, and what to do. */
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

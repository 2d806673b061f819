import { Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { count, percent } from '../../wording/amounts';

/** DeadlineMargin says what new deadlines keep besides their work. */
export function DeadlineMargin({ part, measured, learnt }: Schemas['Margin']) {
  return (
    <Text size="sm">
      New deadlines keep {percent(part, 1)} more than their work takes, for CPU that other programs take and for moves{' '}
      {learnt ? `(learnt from ${count(measured)} promises).` : `(it is learnt from 20 promises; ${count(measured)} are measured).`}
    </Text>
  );
}

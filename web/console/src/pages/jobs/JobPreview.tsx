import { Paper, Text, Title } from '@mantine/core';
import type { Plan } from '../../api/client';
import { hasCode } from '../../api/problem';
import { PlanSummary } from '../../ui/PlanSummary';
import { ProblemAlert } from '../../ui/ProblemAlert';

interface Props {
  plan: Plan | undefined;
  error: Error | null;
  complete: boolean;
  fetching: boolean;
}

/** JobPreview shows the effect of submitting the job now. */
export function JobPreview({ plan, error, complete, fetching }: Props) {
  return (
    <Paper withBorder p="md" aria-live="polite" aria-busy={fetching}>
      <Title order={2} size="h5" mb="xs">
        Effect of submitting it now
      </Title>
      {!complete && (
        <Text size="sm" c="var(--aliquot-quiet)">
          Fill in the job to see where the job would start and how that would affect others.
        </Text>
      )}
      {complete && error && <ProblemAlert error={error} title={hasCode(error, 'invalid') ? 'The job is not valid' : 'This could not run'} />}
      {complete && !error && plan && <PlanSummary plan={plan} />}
      {complete && !error && !plan && <Text size="sm">Deciding…</Text>}
    </Paper>
  );
}

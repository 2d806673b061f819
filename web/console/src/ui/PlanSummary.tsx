import { List } from '@mantine/core';
import type { Plan } from '../api/client';
import { planSentences } from '../wording/plan';

/** PlanSummary describes the changes of a plan in a few sentences. */
export function PlanSummary({ plan }: { plan: Plan }) {
  return (
    <List size="sm" spacing={2}>
      {planSentences(plan).map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  );
}

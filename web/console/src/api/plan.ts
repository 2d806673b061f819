import { queryOptions } from '@tanstack/react-query';
import { api, content, type Hypothesis, type Plan } from './client';

/** What would happen under a hypothesis. It is asked again only when the hypothesis changes, for it is a computation. */
export const planQuery = (hypothesis: Hypothesis) =>
  queryOptions({
    queryKey: ['plan', hypothesis],
    queryFn: () => makePlan(hypothesis),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  });

const makePlan = (hypothesis: Hypothesis) => content(api.POST('/v1/plan', { body: hypothesis }));

/** What tells a plan from others: the same names the same decision. */
export const planName = (plan: Plan, hypothesis: Hypothesis) => `${plan.basis} ${JSON.stringify(hypothesis)}`;

/** Does exactly what the plan announced. */
export const applyPlan = (plan: Plan, hypothesis: Hypothesis, key: string) =>
  content(
    api.POST('/v1/plan/apply', { params: { header: { 'Idempotency-Key': key } }, body: { basis: plan.basis, hypothesis } }),
  );

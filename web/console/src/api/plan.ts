import { queryOptions } from '@tanstack/react-query';
import { api, content, type Hypothesis, type Plan } from './client';

/** The plan for a hypothesis. Planning takes computation, so it is requested again only when the hypothesis changes. */
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

/** Identifies a plan: plans with the same key are the same decision. */
export const planName = (plan: Plan, hypothesis: Hypothesis) => `${plan.basis} ${JSON.stringify(hypothesis)}`;

/** Carries out exactly the announced plan, and breaks the promises that it lists as broken: only a drain needs force for that. */
export const applyPlan = (plan: Plan, hypothesis: Hypothesis, key: string) =>
  content(
    api.POST('/v1/plan/apply', {
      params: { header: { 'Idempotency-Key': key } },
      body: { basis: plan.basis, hypothesis, ...(hypothesis.drain !== undefined && plan.broken.length > 0 && { force: true }) },
    }),
  );

import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Workflow = Schemas['Workflow'];
export type Step = Schemas['WorkflowStep'];

/** All workflows of which a job is remembered, the newest first, without their tasks. */
export const workflowsQuery = queryOptions({
  queryKey: ['workflows'],
  queryFn: () => content(api.GET('/v1/workflows')),
});

/** A workflow with its tasks. */
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflow', id],
    queryFn: () => content(api.GET('/v1/workflows/{workflow}', { params: { path: { workflow: id } } })),
  });

const keyed = (key: string) => ({ 'Idempotency-Key': key });

export const cancelWorkflow = (workflow: string, key: string) =>
  content(api.DELETE('/v1/workflows/{workflow}', { params: { path: { workflow }, header: keyed(key) } }));

export const resumeWorkflow = (workflow: string, key: string) =>
  content(api.POST('/v1/workflows/{workflow}/resume', { params: { path: { workflow }, header: keyed(key) } }));

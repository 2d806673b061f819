import { queryOptions } from '@tanstack/react-query';
import { api, content } from './client';

export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: () => content(api.GET('/v1/nodes')),
  refetchInterval: 15_000, // measured use changes without an event
});

export const nodeQuery = (name: string) =>
  queryOptions({
    queryKey: ['node', name],
    queryFn: () => content(api.GET('/v1/nodes/{node}', { params: { path: { node: name } } })),
    refetchInterval: 10_000,
  });

const parameters = (node: string, key: string) => ({ params: { path: { node }, header: { 'Idempotency-Key': key } } });

export const cordonNode = (node: string, key: string) => content(api.POST('/v1/nodes/{node}/cordon', parameters(node, key)));
export const uncordonNode = (node: string, key: string) => content(api.POST('/v1/nodes/{node}/uncordon', parameters(node, key)));
export const confirmDown = (node: string, key: string) => content(api.POST('/v1/nodes/{node}/confirm-down', parameters(node, key)));

export const straysQuery = queryOptions({ queryKey: ['nodes', 'strays'], queryFn: () => content(api.GET('/v1/strays')) });

export const settleStray = (node: string, run: string, action: 'adopt' | 'destroy', key: string) =>
  content(api.POST('/v1/nodes/{node}/strays', { ...parameters(node, key), body: { run, action } }));

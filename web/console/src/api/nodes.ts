import { queryOptions } from '@tanstack/react-query';
import { compareNames } from '../wording/order';
import { api, content, type Schemas } from './client';

/** Orders by name, n9 before n10. */
export const byName = (a: { name: string }, b: { name: string }) => compareNames(a.name, b.name);

/** All nodes, by name. */
export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: async () => ({ nodes: (await content(api.GET('/v1/nodes'))).nodes.sort(byName) }),
  refetchInterval: 15_000, // measured use changes without an event
});

export const nodeQuery = (name: string) =>
  queryOptions({
    queryKey: ['node', name],
    queryFn: () => content(api.GET('/v1/nodes/{node}', { params: { path: { node: name } } })),
    refetchInterval: 10_000,
  });

const parameters = (node: string, key: string) => ({ params: { path: { node }, header: { 'Idempotency-Key': key } } });

export const cordonNode = (node: string, key: string, force = false) => {
  const { params } = parameters(node, key);
  return content(api.POST('/v1/nodes/{node}/cordon', { params: { ...params, query: force ? { force } : {} } }));
};
export const uncordonNode = (node: string, key: string) => content(api.POST('/v1/nodes/{node}/uncordon', parameters(node, key)));
export const confirmDown = (node: string, key: string) => content(api.POST('/v1/nodes/{node}/confirm-down', parameters(node, key)));
export type OpenInvitation = Schemas['OpenInvitation'];
export type Invitation = Schemas['Invitation'];

export const inviteNode = (node: string, key: string) =>
  content(api.POST('/v1/nodes/{node}/invitation', { ...parameters(node, key), body: {} }));

/** The invitations that no machine has used and that have not expired. */
export const invitationsQuery = queryOptions({
  queryKey: ['nodes', 'invitations'],
  queryFn: () => content(api.GET('/v1/invitations')),
  refetchInterval: 60_000, // one expires without an event
});

export const removeNode = (node: string, key: string) => content(api.DELETE('/v1/nodes/{node}', parameters(node, key)));

export const straysQuery = queryOptions({ queryKey: ['nodes', 'strays'], queryFn: () => content(api.GET('/v1/strays')) });

export const settleStray = (node: string, run: string, action: 'adopt' | 'destroy', key: string) =>
  content(api.POST('/v1/nodes/{node}/strays', { ...parameters(node, key), body: { run, action } }));

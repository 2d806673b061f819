import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';
import { byName } from './nodes';

export type MapNode = Schemas['MapNode'];
export type MapVM = Schemas['MapVM'];

/** All nodes, by name, with the share of every VM. */
export const mapQuery = queryOptions({
  queryKey: ['nodes', 'map'],
  queryFn: async () => {
    const nodes: MapNode[] = [];
    let cursor: string | undefined;
    do {
      const page = await content(api.GET('/v1/map', { params: { query: { cursor, limit: 1000 } } }));
      nodes.push(...page.nodes);
      cursor = page.next;
    } while (cursor);
    return nodes.sort(byName);
  },
  refetchInterval: 15_000,
});

/** One node with the share of every VM. */
export const mapOfQuery = (node: string) =>
  queryOptions({
    queryKey: ['node', node, 'map'],
    queryFn: async () => (await content(api.GET('/v1/map', { params: { query: { node } } }))).nodes[0],
    refetchInterval: 10_000,
  });

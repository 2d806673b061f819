import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../api/nodes';

const most = 50; // most names offered at a time; typing finds the others

const names = { ...nodesQuery, refetchInterval: false as const };

/** Reports whether requests for a node are useful: no node is chosen, the node exists, or the nodes are unknown. */
export function useIsNode(name: string): boolean {
  const nodes = useQuery(names);
  return name === '' || (nodes.data ? nodes.data.nodes.some((node) => node.name === name) : nodes.isError);
}

/** NodeField chooses one node, or none. */
export function NodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const all = useQuery(names).data?.nodes.map((node) => node.name);
  const unknown = value !== '' && all !== undefined && !all.includes(value);
  return (
    <Select
      label="Node"
      placeholder="any"
      w={150}
      data={unknown ? [value, ...all] : (all ?? (value ? [value] : []))}
      limit={most}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      error={unknown ? 'no such node' : undefined}
      nothingFoundMessage="no such node"
      searchable
      clearable
    />
  );
}

import { Code, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { policiesQuery } from '../../api/policy';
import { rowOf } from './row';

const parameters: [pattern: RegExp, text: string][] = [
  [/opt=min/, 'opt=min: after the least yield, the next smallest are raised as far as they go'],
  [/opt=avg/, 'opt=avg: after the least yield, the average is raised'],
  [/opt=max/, 'opt=max: after the worst stretch, the next worst are lowered as far as they go'],
  [/minvt=/, 'minvt: a job that has run for less than this many seconds (virtual time) is not moved by a periodic decision'],
  [/minft=/, 'minft: a job that was submitted less than this many seconds ago (flow time) is not moved by a periodic decision'],
  [/per-node=/, 'per-node: number of cores of a node, whatever its CPU; otherwise a core is 1,000 millicores'],
  [/threshold=/, 'threshold: the part of a node from which on its foreground leaves too little for a background; otherwise 0.96'],
  [/use=declared/, 'use=declared: the foreground counts with the CPU that its jobs ask for, not with what was measured'],
  [/pay=/, 'pay: the part of its work that a job may stand still because it loses its place; otherwise 0.1'],
  [/extra=prose/, 'extra=prose: extra nodes are counted by the prose of the paper, not by its Algorithm 3'],
  [/\/blind/, 'blind: the background is used whatever the foreground uses'],
];

/** PolicyName shows the published name of a policy with the meaning of its parts. */
export function PolicyName({ name }: { name: string }) {
  const policies = useQuery(policiesQuery);
  const row = rowOf(name, policies.data?.policies ?? []);
  const parts = parameters.filter(([pattern]) => pattern.test(name)).map(([, text]) => text);
  const meanings = row ? [`${row.name}: ${row.about}`, ...parts] : parts;
  return (
    <>
      <Code fz="sm" className="wrap-anywhere">
        {name}
      </Code>
      {meanings.length > 0 && (
        <List size="sm" mt="xs" spacing={2}>
          {meanings.map((text) => (
            <List.Item key={text}>
              <Text size="sm">{text}</Text>
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

import { MultiSelect, NumberInput, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/nodes';
import type { Draft } from './draft';

interface Props {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Record<string, string>;
}

/** MoreFields are those of a job that most leave as they are. */
export function MoreFields({ draft, change, faults }: Props) {
  const nodes = useQuery(nodesQuery);
  const text = (field: 'runtime' | 'logBytes' | 'estimate') => ({
    value: draft[field],
    error: faults[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
  });
  const lines = (field: 'env' | 'labels' | 'nodeLabels') => ({
    autosize: true,
    minRows: 2,
    value: draft[field],
    error: faults[field],
    onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => change({ [field]: event.currentTarget.value }),
  });
  return (
    <Stack>
      <Textarea label="Environment" description="A line NAME=value for each variable; hidden from users who may not change the job" {...lines('env')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MultiSelect
          label="Nodes"
          description="Allowed nodes; none: all"
          data={nodes.data?.nodes.map((node) => node.name) ?? []}
          value={draft.nodes}
          error={faults.nodes}
          onChange={(value) => change({ nodes: value })}
          searchable
          clearable
        />
        <Textarea label="Labels of nodes" description="A line name=value for each label that a node must have" {...lines('nodeLabels')} />
      </SimpleGrid>
      <Switch label="No two tasks on one node" checked={draft.spread} onChange={(event) => change({ spread: event.currentTarget.checked })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Restarts after failure"
          description="Of each task; losses by the cluster do not count"
          min={0}
          allowDecimal={false}
          value={draft.onFailure}
          error={faults.onFailure}
          onChange={(value) => change({ onFailure: Number(value) || 0 })}
        />
        <TextInput label="Longest running time" description="The job fails after it: 2h; empty: no limit" {...text('runtime')} />
        <TextInput label="Output kept" description="Of each task; empty: 10Mi" {...text('logBytes')} />
        <TextInput label="Estimate" description="Run time at full speed, for policies that use it: 20m" {...text('estimate')} />
      </SimpleGrid>
      <Textarea label="Labels" description="A line name=value each, for selecting jobs" {...lines('labels')} />
    </Stack>
  );
}

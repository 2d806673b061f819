import { MultiSelect, NativeSelect, NumberInput, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/nodes';
import { emptyDraft, plain, type Draft, type PlainField } from './draft';
import { InputFiles } from './InputFiles';
import { WeekFields } from './WeekFields';

interface Props {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Record<string, string>;
}

/** MoreFields are the less common fields of a job. */
export function MoreFields({ draft, change, faults }: Props) {
  const nodes = useQuery(nodesQuery);
  const lines = (field: 'env' | 'labels' | 'nodeLabels' | 'outputs') => ({
    autosize: true,
    minRows: 2,
    value: draft[field] ?? '', // a draft kept by an earlier version of the page may lack it
    error: faults[field],
    onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => change({ [field]: event.currentTarget.value }),
  });
  const field = (key: PlainField) => <OneField key={key} field={key} draft={draft} change={change} faults={faults} />;
  return (
    <Stack>
      <Textarea label="Environment" description="A line NAME=value for each variable; hidden from users who may not change the job" {...lines('env')} />
      <InputFiles files={draft.files ?? emptyDraft.files} change={(files) => change({ files })} fault={faults.files} />
      <Textarea
        label="Files to keep"
        description="When the command has ended, of each task: a line for each path, folder or pattern, like results/*.csv, from the folder /work"
        {...lines('outputs')}
      />
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
      {shown.filter((key) => typeof plain[key].initial === 'boolean').map(field)}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>{shown.filter((key) => typeof plain[key].initial !== 'boolean').map(field)}</SimpleGrid>
      <WeekFields draft={draft} change={change} faults={faults} />
      <Textarea label="Labels" description="A line name=value each, for selecting jobs" {...lines('labels')} />
    </Stack>
  );
}

const shown = (Object.keys(plain) as PlainField[]).filter((key) => plain[key].label);

/** OneField edits a plain field with a switch, a number input, a choice or a text input, depending on its values. */
function OneField({ field, draft, change, faults }: Props & { field: PlainField }) {
  const { label, description, initial, choices, decimals = false } = plain[field];
  const value = draft[field] ?? initial; // a draft kept by an earlier version of the page may lack it
  const set = (value: unknown) => change({ [field]: value });
  if (typeof value === 'boolean') {
    return <Switch label={label} description={description} checked={value} onChange={(event) => set(event.currentTarget.checked)} />;
  }
  const common = { label, description, error: faults[field] };
  if (typeof value === 'number') {
    return <NumberInput {...common} min={0} allowDecimal={decimals} step={decimals ? 0.1 : 1} value={value} onChange={(value) => set(Number(value) || 0)} />;
  }
  if (choices) {
    return <NativeSelect {...common} data={choices} value={value} onChange={(event) => set(event.currentTarget.value)} />;
  }
  return <TextInput {...common} value={value} onChange={(event) => set(event.currentTarget.value)} />;
}

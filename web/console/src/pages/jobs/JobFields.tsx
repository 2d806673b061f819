import { Accordion, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { imagesQuery } from '../../api/images';
import { fillsFolded, type Draft } from './draft';
import { MoreFields } from './MoreFields';

interface Props {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Record<string, string>;
}

/** JobFields are the fields of a job; the less common ones are folded away, unless one is filled in when the form opens. */
export function JobFields({ draft, change, faults }: Props) {
  const images = useQuery(imagesQuery);
  const text = (field: 'name' | 'cpu' | 'memory') => ({
    value: draft[field],
    error: faults[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
  });
  return (
    <Stack>
      <TextInput label="Name" description="For people; need not be unique" maxLength={128} {...text('name')} />
      <Textarea
        label="Command"
        description={draft.shell ? 'Runs in a shell, in the VM of each task' : 'Program and arguments, quoted as in a shell'}
        placeholder={draft.shell ? 'echo "task $ALIQUOT_TASK_INDEX of $ALIQUOT_TASK_COUNT"' : '/bin/echo "hello, world"'}
        autosize
        minRows={2}
        maxRows={12}
        required
        value={draft.command}
        error={faults.command}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => change({ command: event.currentTarget.value })}
      />
      <Checkbox label="In a shell" checked={draft.shell} onChange={(event) => change({ shell: event.currentTarget.checked })} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput
          label="Tasks"
          description="Identical, a VM each"
          min={1}
          allowDecimal={false}
          value={draft.tasks}
          error={faults.tasks}
          onChange={(value) => change({ tasks: Number(value) || 1 })}
        />
        <TextInput label="CPU need" description="Of each task: 500m or 1.5" required {...text('cpu')} />
        <TextInput label="Memory" description="Of each task: 96Mi" required {...text('memory')} />
      </SimpleGrid>
      <Group grow>
        <Select
          label="Image"
          description="Image that the VM boots"
          placeholder="the built-in image"
          data={[...new Map((images.data?.images ?? []).map((image) => [image.reference, { value: image.reference, label: label(image) }])).values()]}
          value={draft.image || null}
          error={faults.image}
          onChange={(value) => change({ image: value ?? '' })}
          clearable
        />
      </Group>
      <Accordion variant="separated" defaultValue={fillsFolded(draft) ? 'more' : null}>
        <Accordion.Item value="more">
          <Accordion.Control>Environment, files, placement, limits, labels</Accordion.Control>
          <Accordion.Panel>
            <MoreFields draft={draft} change={change} faults={faults} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function label(image: { name: string; digest: string }): string {
  return `${image.name} ${image.digest.slice(0, 12)}`;
}

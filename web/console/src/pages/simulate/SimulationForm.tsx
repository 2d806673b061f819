import { Accordion, Button, FileInput, Group, NumberInput, SegmentedControl, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { startSimulation, type Simulation } from '../../api/simulations';
import { useNarrow } from '../../ui/narrow';
import { failure, useOnce } from '../../ui/once';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { missing, requestOf, suggestions, useDraft, type Draft } from './draft';

/** SimulationForm is the form of a simulation: the jobs and the policies. */
export function SimulationForm({ onStarted }: { onStarted: (simulation: Simulation) => void }) {
  const [draft, change] = useDraft();
  const narrow = useNarrow();
  const client = useQueryClient();
  const once = useOnce();
  const start = useMutation({
    mutationFn: () => {
      const order = requestOf(draft);
      return once(JSON.stringify(order), (key) => startSimulation(order, key));
    },
    onSuccess: async (simulation) => {
      await client.invalidateQueries({ queryKey: ['simulations'] });
      onStarted(simulation);
    },
  });
  const fault = missing(draft);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!fault) start.mutate();
      }}
    >
      <Stack>
        <SegmentedControl
          aria-label="Jobs"
          orientation={narrow ? 'vertical' : 'horizontal'}
          data={[
            { value: 'live', label: 'The live jobs' },
            { value: 'native', label: 'A trace (CSV)' },
            { value: 'swf', label: 'A trace (SWF)' },
          ]}
          value={draft.source}
          onChange={(source) => change({ source: source as Draft['source'] })}
        />
        <SourceFields draft={draft} change={change} />
        <TagsInput
          label="Policies"
          description="Published names, up to eight; each simulates the same jobs"
          data={suggestions}
          value={draft.policies}
          onChange={(policies) => change({ policies })}
          maxTags={8}
          splitChars={[',']}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput label="Period" description="Between periodic decisions" value={draft.period} onChange={(event) => change({ period: event.currentTarget.value })} />
          <TextInput label="Penalty" description="For a rescheduled job; 0s: none" value={draft.penalty} onChange={(event) => change({ penalty: event.currentTarget.value })} />
          <TextInput label="Name" description="For the list of simulations" maxLength={128} value={draft.name} onChange={(event) => change({ name: event.currentTarget.value })} />
        </SimpleGrid>
        <More draft={draft} change={change} />
        {start.error && <ProblemAlert error={start.error} title={failure(start.error, 'The simulation was not started')} />}
        <Group>
          <Button type="submit" loading={start.isPending} disabled={fault !== undefined}>
            Simulate
          </Button>
          {fault && <Text size="sm">{fault}</Text>}
        </Group>
      </Stack>
    </form>
  );
}

/** More are the less common fields. */
function More({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  return (
    <Accordion variant="separated">
      <Accordion.Item value="more">
        <Accordion.Control>Cost, estimates, jobs that can never run</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput
              label="Cost"
              description="Of rescheduling: constant, memory[=GB/s], live[=PAUSE], moves[=GB/s]"
              placeholder="constant"
              value={draft.cost}
              onChange={(event) => change({ cost: event.currentTarget.value.trim() })}
            />
            <Select
              label="Estimates"
              description="Run times known to policies"
              data={[{ value: 'perfect', label: 'the true ones' }, { value: 'trace', label: 'the estimates of users' }]}
              value={draft.estimates}
              onChange={(value) => change({ estimates: value as Draft['estimates'] })}
              allowDeselect={false}
            />
            <Select
              label="Impossible jobs"
              description="Those that can never run"
              data={[{ value: 'skip', label: 'are left out' }, { value: 'refuse', label: 'end the simulation' }]}
              value={draft.impossible}
              onChange={(value) => change({ impossible: value as Draft['impossible'] })}
              allowDeselect={false}
            />
            {draft.source === 'swf' && (
              <NumberInput
                label="Memory"
                description="Of a node, in GiB; 0: by the rules"
                min={0}
                value={draft.nodeMemory}
                onChange={(value) => change({ nodeMemory: Number(value) || 0 })}
              />
            )}
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function SourceFields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  if (draft.source === 'live') {
    return (
      <TextInput
        label="Run time"
        description="At full speed, of jobs without an estimate; all go on from their present positions"
        value={draft.runtime}
        onChange={(event) => change({ runtime: event.currentTarget.value })}
      />
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <FileInput
        label="File"
        description={draft.source === 'swf' ? 'Standard Workload Format' : 'id,submit,tasks,cpu,mem,runtime'}
        placeholder={draft.file || 'choose one'}
        onChange={async (file) => change({ file: file?.name ?? '', text: (await file?.text()) ?? '' })}
      />
      <NumberInput label="Nodes" description="All alike" min={1} max={10_000} allowDecimal={false} value={draft.nodes} onChange={(nodes) => change({ nodes: Number(nodes) || 1 })} />
      {draft.source === 'swf' && (
        <NumberInput label="Cores" description="Of a node" min={1} allowDecimal={false} value={draft.cores} onChange={(cores) => change({ cores: Number(cores) || 1 })} />
      )}
    </SimpleGrid>
  );
}

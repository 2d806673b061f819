import { Button, Group, MultiSelect } from '@mantine/core';
import { Icon } from '../../ui/Icon';
import { Typed } from '../../ui/Typed';
import { states, type FilterState } from './filter';

/** JobFilterBar restricts the table of jobs. */
export function JobFilterBar({ filter }: { filter: FilterState }) {
  return (
    <Group gap="sm" align="end" role="search" aria-label="Filter the jobs">
      <Typed
        label="Search"
        placeholder="id, name, owner, label…"
        value={filter.value.search}
        onType={(search) => filter.set({ search })}
        leftSection={<Icon name="search" size={16} />}
        w={{ base: '100%', xs: 240 }}
      />
      <MultiSelect
        label="State"
        placeholder={filter.value.states.length ? undefined : 'any'}
        data={states}
        value={filter.value.states}
        onChange={(chosen) => filter.set({ states: chosen })}
        clearable
        w={{ base: '100%', xs: 220 }}
      />
      <Part label="Owner" value={filter.value.owner} onType={(owner) => filter.set({ owner })} />
      <Part label="Project" value={filter.value.project} onType={(project) => filter.set({ project })} />
      {filter.active && (
        <Button variant="default" onClick={filter.clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** The less common filters. On a phone only the ones in force are shown. */
function Part(props: { label: string; value: string; onType: (value: string) => void }) {
  return <Typed {...props} placeholder="any" w={{ base: '100%', xs: 130 }} visibleFrom={props.value ? undefined : 'xs'} />;
}

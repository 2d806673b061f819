import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { states, type FilterState } from './filter';

/** JobFilterBar restricts the table of jobs. */
export function JobFilterBar({ filter }: { filter: FilterState }) {
  return (
    <Group gap="sm" align="end" role="search" aria-label="Filter the jobs">
      <Typed label="Search" placeholder="id, name, owner, label…" value={filter.value.search} onType={(search) => filter.set({ search })} wide />
      <MultiSelect
        label="State"
        placeholder={filter.value.states.length ? undefined : 'any'}
        data={states}
        value={filter.value.states}
        onChange={(chosen) => filter.set({ states: chosen })}
        clearable
        w={{ base: '100%', xs: 220 }}
      />
      <Typed label="Owner" value={filter.value.owner} onType={(owner) => filter.set({ owner })} />
      <Typed label="Project" value={filter.value.project} onType={(project) => filter.set({ project })} />
      {filter.active && (
        <Button variant="default" onClick={filter.clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

interface TypedProps {
  label: string;
  placeholder?: string;
  value: string;
  onType: (value: string) => void;
  wide?: boolean;
}

/** Typed waits until the reader stops typing. */
function Typed({ label, placeholder = 'any', value, onType, wide }: TypedProps) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback(onType, 250);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      leftSection={wide ? <Icon name="search" size={16} /> : undefined}
      w={{ base: '100%', xs: wide ? 240 : 130 }}
      visibleFrom={wide || value ? undefined : 'xs'} // on a phone only those in force
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}

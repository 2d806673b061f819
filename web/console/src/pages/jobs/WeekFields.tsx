import { MultiSelect, SimpleGrid, TextInput } from '@mantine/core';
import { emptyDraft, weekly, type Draft } from './draft';

interface Props {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  faults: Record<string, string>;
}

/** WeekFields say on which days of every week the job's interval is reserved again. */
export function WeekFields({ draft, change, faults }: Props) {
  const text = (field: 'zone' | 'until') => ({
    value: draft[field] ?? emptyDraft[field],
    error: faults[field],
    disabled: !weekly(draft),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
  });
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <MultiSelect
        label="Reserve again every"
        description="Days of the week; none: once"
        data={days}
        value={draft.days ?? []}
        error={faults.days}
        onChange={(value) => change({ days: days.map((it) => it.value).filter((it) => value.includes(it)), zone: draft.days?.length ? draft.zone : here() })}
        clearable
      />
      <TextInput label="Time zone" description="Whose clocks show the start" {...text('zone')} />
      <TextInput label="Last day" description="2027-06-30; empty: in two years" {...text('until')} />
    </SimpleGrid>
  );
}

const days = [
  ['mon', 'Monday'], ['tue', 'Tuesday'], ['wed', 'Wednesday'], ['thu', 'Thursday'], ['fri', 'Friday'], ['sat', 'Saturday'], ['sun', 'Sunday'],
].map(([value, label]) => ({ value: value!, label: label! }));

/** Returns the time zone of the browser. */
const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone || emptyDraft.zone;

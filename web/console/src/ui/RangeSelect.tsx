import { SegmentedControl } from '@mantine/core';
import { ranges } from '../api/series';
import { useUrlState } from './url';

const names: Record<number, string> = { 1: '1 h', 6: '6 h', 24: '24 h', 168: '7 d' };

/** The length of the charts' period in hours, kept in the address. */
export function useRange(): number {
  const [hours] = useUrlState('hours', '1');
  return ranges.find((range) => String(range) === hours) ?? 1;
}

/** RangeSelect selects the length of the charts' period. */
export function RangeSelect() {
  const hours = useRange();
  const [, setHours] = useUrlState('hours', '1');
  return (
    <SegmentedControl
      size="xs"
      aria-label="How far back"
      data={ranges.map((range) => ({ value: String(range), label: names[range]! }))}
      value={String(hours)}
      onChange={setHours}
    />
  );
}

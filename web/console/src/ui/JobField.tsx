import { Typed } from './Typed';

/** Reports whether a text is a complete job name. Requests for an incomplete one would be useless. */
export const isJob = (text: string) => /^j[1-9]\d{0,17}$/.test(text);

/** JobField is an input for the name of one job. */
export function JobField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Typed
      label="Job"
      placeholder="any"
      w={110}
      value={value}
      error={value && !isJob(value) ? 'like j17' : undefined}
      onType={onChange}
    />
  );
}

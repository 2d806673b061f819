import { Typed } from './Typed';

/** Whether a text is what a job is called; half of a name is not worth asking for. */
export const isJob = (text: string) => /^j[1-9]\d{0,17}$/.test(text);

/** JobField takes the name of one job. */
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

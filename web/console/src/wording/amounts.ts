const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** Formats a number with separated thousands: "7", "13,423", "0.35". */
export function count(value: number): string {
  return number.format(value);
}

/** Formats CPU as people type it below a core, and in cores from there on: "350m", "1 core", "13,423 cores"; "0 cores" for none. */
export function cpu(millicores: number): string {
  const small = Math.round(millicores);
  if (small !== 0 && Math.abs(small) < 1000) return `${small}m`;
  const cores = millicores / 1000;
  const digits = Math.abs(cores) >= 100 ? 0 : Math.abs(cores) >= 10 ? 1 : 2;
  const text = count(Number(cores.toFixed(digits)));
  return `${text} ${text === '1' ? 'core' : 'cores'}`;
}

/** Formats a part of some CPU, both in the unit of the whole: "600m of 900m", "0.6 of 1.2 cores". */
export function cpuOf(part: number, whole: number): string {
  if (Math.abs(whole) < 1000) return `${Math.round(part)}m of ${Math.round(whole)}m`;
  return `${count(Number((part / 1000).toFixed(part < 10 ? 3 : 2)))} of ${cpu(whole)}`;
}

/** Formats memory with a binary unit: "96 MiB", "1.5 GiB". */
export function bytes(amount: number): string {
  let value = amount;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 1;
  return `${digits > 0 ? value.toFixed(digits) : count(Math.round(value))} ${units[unit]}`;
}

/**
 * Formats memory and the larger amount that is charged for it; the difference is shown however small it is: "4 GiB,
 * charged 64 MiB more".
 */
export function charged(amount: number, charge: number): string {
  return charge === amount ? `${bytes(amount)}, charged as much` : `${bytes(amount)}, charged ${bytes(charge - amount)} more`;
}

/** Formats a yield, from 0 to 1, with two digits; a dash for none. */
export function yieldText(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2);
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${count(Math.round((100 * part) / whole))} %` : '–';
}

/** Formats a duration in its two greatest units: "3 h 20 min", "45 s", "0.4 s". */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 0) return '−' + duration(-seconds);
  if (seconds < 10 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`;
  const parts: [number, string][] = [
    [86400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  let rest = Math.round(seconds);
  const words: string[] = [];
  for (const [size, unit] of parts) {
    const count = Math.floor(rest / size);
    if (words.length === 1) {
      if (count > 0) words.push(`${count} ${unit}`);
      break;
    }
    if (count > 0) words.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return words.join(' ') || '0 s';
}

/** A price in core-hours as three digits or more; – for none. */
export function price(coreHours: number | undefined): string {
  if (!coreHours) return '–';
  return coreHours < 100 ? String(Number(coreHours.toPrecision(3))) : count(Math.round(coreHours));
}

/** Formats a priority; undefined is the highest, that of a job that has not run. */
export function priority(value: number | undefined): string {
  if (value === undefined) return '∞';
  return value >= 1000 || (value !== 0 && value < 0.001) ? value.toExponential(1) : value.toPrecision(3);
}

/** For example "1 node", "3 nodes", "no nodes". */
export function plural(amount: number, noun: string): string {
  return `${amount === 0 ? 'no' : count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

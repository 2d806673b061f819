const precise = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
});
const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** Returns the name of the reader's time zone at that time: "CET", "UTC". */
export function zoneName(at: Date): string {
  return zone.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** Formats date and time with the zone: "2026-01-01 12:00:00 UTC". */
export function dateTime(at: Date): string {
  return `${precise.format(at)} ${zoneName(at)}`;
}

/** Formats only the time if it is today, with the date otherwise; always with the zone. */
export function shortTime(at: Date, now: Date): string {
  const text = precise.format(at);
  const today = text.slice(0, 10) === precise.format(now).slice(0, 10);
  return `${today ? text.slice(11) : text.slice(0, 16)} ${zoneName(at)}`;
}

/** Formats the time in minutes, with the zone, if it is today; only the date otherwise. */
export function briefTime(at: Date, now: Date): string {
  const text = precise.format(at);
  const day = text.slice(0, 10);
  return day === precise.format(now).slice(0, 10) ? `${text.slice(11, 16)} ${zoneName(at)}` : day;
}

const minute = 60_000;
const lengths: Record<string, number> = { s: 1000, m: minute, h: 60 * minute };

/**
 * Returns the time that a text means, as the API takes it: "18:00" is the next time that the reader's clock shows it, and
 * "1h30m" is from now on, to the next full minute. Other texts stay as they are.
 */
export function moment(given: string, now: Date): string {
  const text = given.trim();
  if (/^(?:\d+(?:\.\d+)?[hms])+$/.test(text)) {
    const ahead = [...text.matchAll(/([\d.]+)([hms])/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * lengths[unit!]!, 0);
    return stamp(Math.ceil((now.getTime() + ahead) / minute) * minute, text);
  }
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (!clock) return text;
  const next = new Date(now);
  next.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return stamp(next.getTime(), text);
}

/** Returns the time without parts of a second; the text if no date is so far away. */
function stamp(at: number, text: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? text : date.toISOString().replace('.000Z', 'Z');
}

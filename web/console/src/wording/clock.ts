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

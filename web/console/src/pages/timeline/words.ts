import { cpu, duration } from '../../wording/amounts';
import { dateTime, zoneName } from '../../wording/clock';
import type { Bar } from '../../ui/gantt/bars';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Formats a time for the axis, as precisely as the distance of marks requires. */
export function moment(time: number, step: number): string {
  const at = new Date(time);
  if (step >= 86_400_000) return day.format(at);
  const text = (step < 60_000 ? seconds : clock).format(at);
  return text.startsWith('00:00') && step >= 3_600_000 ? day.format(at) : `${text} ${zoneName(at)}`;
}

/** Describes a bar in a sentence. */
export function describe(bar: Bar): string {
  const { span } = bar;
  const whose = span.task === undefined ? span.job : `${span.job}, task ${span.task}`;
  const where = span.node ? ` on ${span.node}` : '';
  const share = span.node ? ` with ${cpu(span.shareMillicores)}${span.needMillicores ? ` of ${cpu(span.needMillicores)} needed` : ''}${span.tier ? ' in the background' : ''}` : '';
  const until = bar.lasts ? 'until now' : `until ${dateTime(new Date(bar.to))}`;
  const text = span.text ? `: ${span.text}` : '';
  return `${whose}: ${span.state}${where}${share} from ${dateTime(new Date(bar.from))} ${until}, ${duration((bar.to - bar.from) / 1000)}${text}`;
}

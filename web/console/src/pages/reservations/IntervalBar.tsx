import type { Reservation } from '../../api/reservations';
import { dateTime } from '../../wording/clock';
import { spans } from './calendar';
import { place, type Span } from './span';

/** IntervalBar draws when a reservation is, in each of its parts, and, paler, when its VMs begin to start. The table says the same in words. */
export function IntervalBar({ span, of }: { span: Span; of: Reservation }) {
  const fill = of.state === 'broken' ? 'var(--mantine-color-red-6)' : 'var(--mantine-primary-color-filled)';
  const at = (time: number) => place(span, new Date(time).toISOString());
  const parts = spans(of);
  const title = parts.map(({ from, until }) => `${dateTime(new Date(from))} – ${dateTime(new Date(until))}`).join(', ');
  return (
    <svg width="100%" height="12" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <title>{title}</title>
      {parts.map(({ due, from, until }) => (
        <g key={until}>
          <rect x={at(due)} width={Math.max(0, at(from) - at(due))} y="3" height="6" fill={fill} opacity="0.4" />
          <rect x={at(from)} width={Math.max(0.5, at(until) - at(from))} y="1" height="10" fill={fill} />
        </g>
      ))}
    </svg>
  );
}

import type { Reservation } from '../../api/reservations';
import { dateTime } from '../../wording/clock';
import { place, type Span } from './span';

/** IntervalBar draws when a reservation is, and, paler, when its VMs begin to start. The table says the same in words. */
export function IntervalBar({ span, of }: { span: Span; of: Reservation }) {
  const [due, from, until] = [place(span, of.due), place(span, of.from), place(span, of.until)];
  const fill = of.state === 'broken' ? 'var(--mantine-color-red-6)' : 'var(--mantine-primary-color-filled)';
  const title = `${dateTime(new Date(of.from))} – ${dateTime(new Date(of.until))}`;
  return (
    <svg width="100%" height="12" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <title>{title}</title>
      <rect x={due} width={Math.max(0, from - due)} y="3" height="6" fill={fill} opacity="0.4" />
      <rect x={from} width={Math.max(0.5, until - from)} y="1" height="10" fill={fill} />
    </svg>
  );
}

import { dateTime, shortTime } from '../wording/clock';
import { useClock } from './clock';

const today = () => new Date().toDateString();

/** Moment is a point in time in the reader's zone. */
export function Moment({ at, full }: { at: string | undefined; full?: boolean }) {
  useClock(today); // a new day changes the short form
  if (!at) return <>–</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={dateTime(date)} className="number">
      {full ? dateTime(date) : shortTime(date, new Date())}
    </time>
  );
}

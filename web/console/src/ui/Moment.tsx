import { briefTime, dateTime, shortTime } from '../wording/clock';
import { useClock } from './clock';

const today = () => new Date().toDateString();

interface Props {
  at: string | undefined;
  full?: boolean;
  brief?: boolean;
}

/** Moment is a point in time in the reader's zone. */
export function Moment({ at, full, brief }: Props) {
  useClock(today); // a new day changes the short form
  if (!at) return <>–</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={dateTime(date)} className="number">
      {full ? dateTime(date) : (brief ? briefTime : shortTime)(date, new Date())}
    </time>
  );
}

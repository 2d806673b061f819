import { Button, Group, Text } from '@mantine/core';
import { useRef, useState, type PointerEvent } from 'react';
import { useNavigate } from 'react-router';
import type { ExpectedStart, Promisable, Reservation } from '../../api/reservations';
import { useMay } from '../../api/session';
import { ticks } from '../../ui/gantt/range';
import { Panel } from '../../ui/Panel';
import { cpu, cpuOf, duration } from '../../wording/amounts';
import { dateTime, shortTime } from '../../wording/clock';
import { emptyDraft, useDraft } from '../jobs/draft';
import { booking, chosen, greatest, horizon, left, levels, nextHour, promisable, reserved, type Level } from './calendar';
import classes from './Calendar.module.css';
import type { Span } from './span';

interface Props {
  list: Reservation[];
  /** Starts that the policy booked for waiting jobs. */
  expected: ExpectedStart[];
  now: number;
  /** CPU that promises can count on, from now on. */
  capacity: Promisable[];
}

/** Calendar shows how much CPU is promised, and above it what the policy booked, and when, of the CPU that promises can count on. Dragging over it chooses an interval to ask for. */
export function Calendar({ list, expected, now, capacity }: Props) {
  const [choice, setChoice] = useState<Span>();
  const span = horizon(list, now);
  const all = levels(list, now);
  const open = promisable(capacity, now);
  const most = `at most ${cpuOf(greatest(all, span), greatest(open, span))}`;
  const booked = levels([...list, ...expected.map((it) => booking(it, span))], now);
  const interval = choice ?? nextHour(now);
  return (
    <Panel title="Promised CPU" aside={<Text size="sm">{`${most}${expected.length > 0 ? '; pale: booked by the policy for waiting jobs' : ''}`}</Text>}>
      <Days span={span} all={all} booked={booked} capacity={open} choice={choice} choose={setChoice} label={`Promised CPU from now to ${dateTime(new Date(span.until))}: ${most}`} />
      <Ticks span={span} now={now} />
      <Choice choice={interval} left={left(open, all, interval)} dragged={choice !== undefined} now={now} />
    </Panel>
  );
}

interface DaysProps {
  span: Span;
  all: Level[];
  /** With what the policy booked. */
  booked: Level[];
  capacity: Level[];
  choice?: Span;
  choose: (choice: Span) => void;
  label: string;
}

function Days({ span, all, booked, capacity, choice, choose, label }: DaysProps) {
  const begun = useRef<number>(undefined);
  const part = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return (event.clientX - left) / Math.max(1, width);
  };
  const x = (at: number) => (100 * (Math.min(at, span.until) - span.from)) / (span.until - span.from);
  const top = Math.max(1, greatest(capacity, span));
  const bars = (list: Level[], className: string) =>
    list.map(({ at, millicores }, i) => {
      const height = (100 * Math.min(millicores, top)) / top;
      return <rect key={at} className={className} x={x(at)} width={x(list[i + 1]?.at ?? span.until) - x(at)} y={100 - height} height={height} />;
    });
  return (
    <div
      className={classes.days}
      onPointerDown={(event) => {
        begun.current = part(event);
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }}
      onPointerMove={(event) => begun.current !== undefined && choose(chosen(span, begun.current, part(event)))}
      onPointerUp={() => (begun.current = undefined)}
      onPointerCancel={() => (begun.current = undefined)}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
        {bars(capacity, classes.capacity!)}
        {bars(booked, classes.booked!)}
        {bars(all, classes.promised!)}
      </svg>
      {choice && <div className={classes.chosen} style={{ insetInlineStart: `${x(choice.from)}%`, width: `${x(choice.until) - x(choice.from)}%` }} />}
    </div>
  );
}

function Ticks({ span, now }: { span: Span; now: number }) {
  const at = ticks({ from: span.from, to: span.until }, 8, new Date(now).setHours(0, 0, 0, 0)).at;
  return (
    <div className={classes.ticks} aria-hidden="true">
      {at.slice(0, -1).map((it) => (
        <span key={it} style={{ insetInlineStart: `${(100 * (it - span.from)) / (span.until - span.from)}%` }}>
          {shortTime(new Date(it), new Date(now)).replace(/^(\d+:\d+):\d+/, '$1')}
        </span>
      ))}
    </div>
  );
}

/** The chosen interval, what is left in it, and the way to the form that asks for it. */
function Choice({ choice, left, dragged, now }: { choice: Span; left: number; dragged: boolean; now: number }) {
  const [, setDraft] = useDraft();
  const navigate = useNavigate();
  const may = useMay('user');
  const ask = () => {
    setDraft((old) => ({ ...emptyDraft, ...old, ...reserved(choice) }));
    void navigate('/jobs/submit');
  };
  return (
    <Group mt="xs">
      <Text size="sm" role="status">
        {dragged ? `From ${shortTime(new Date(choice.from), new Date(now))} for ${duration((choice.until - choice.from) / 1000)}: CPU that is not promised: ${cpu(left)}.` : `Drag over the chart to choose an interval, or take the next whole hour: that from ${shortTime(new Date(choice.from), new Date(now))}.`}
      </Text>
      {may && (
        <Button size="xs" variant="default" onClick={ask}>
          {dragged ? 'Could I have this?' : 'Reserve the next hour'}
        </Button>
      )}
    </Group>
  );
}

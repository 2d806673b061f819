import { Anchor, Box, Button, Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { spaceFor } from '../axis';
import { barAt, type Bar, type Row } from './bars';
import classes from './Gantt.module.css';
import { barBox, inks, paint, timeOf, xOf, type Layout } from './paint';
import { panned, ticks, zoomed, type Range } from './range';
import { useZoom, type Zoomed } from './zoom';

interface Props extends Zoomed {
  /** Description of the chart for people who cannot see it. */
  label: string;
  rows: Row[];
  /** Formats a time briefly; step is the distance of the marks. */
  moment: (time: number, step: number) => string;
  describe: (bar: Bar) => string;
  /** Addresses of rows and bars; undefined: no link. */
  rowLink?: (row: Row) => string;
  onOpen?: (bar: Bar) => void;
  /** The time that marks count from. */
  zero?: number;
}

const hint = 'Point at a bar for details. Zoom with Ctrl and the wheel, or plus and minus; move by dragging or with the arrow keys; 0 resets.';
const labels = 120;
const most = 560;
const least = 26;

/**
 * Gantt draws rows of bars over time. The wheel with Ctrl zooms, dragging moves. On the keyboard plus and minus zoom,
 * left and right move, 0 resets.
 */
export function Gantt({ label, rows, moment, describe, rowLink, onOpen, zero = 0, ...zoomable }: Props) {
  const { ref, width: inner } = useElementSize();
  const { range, show, reset } = useZoom(zoomable);
  const scheme = useComputedColorScheme('light');
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [chosen, choose] = useState<Bar>();
  const drag = useRef<{ pointer: number; x: number; range: Range; moved: boolean } | undefined>(undefined);
  const width = Math.max(120, (inner || 900) - labels);
  const rowHeight = Math.min(72, Math.max(least, most / Math.max(1, rows.length)));
  const height = Math.min(most, Math.max(rowHeight, rows.length * rowHeight));
  const first = Math.floor(scrolled / rowHeight);
  const seen = rows.slice(first, first + Math.ceil(height / rowHeight) + 1);
  const layout: Layout = { width, height, rowHeight, top: first * rowHeight - scrolled, range };
  const room = 1.5 * spaceFor((time) => moment(time, 1000), range.from, range.to); // marks at the edges are moved inwards by half of their width
  const axis = ticks(range, Math.max(2, Math.floor(width / room)), zero);

  useEffect(() => {
    const to = sized(canvas.current!, width, height);
    if (to) paint(to, seen, layout, axis.at, chosen, inks[scheme]);
  });
  useWheel(canvas, (x, times) => show(zoomed(range, times, timeOf(x, layout))));

  const under = (event: React.PointerEvent | React.MouseEvent) => {
    const { offsetX, offsetY } = event.nativeEvent;
    const index = Math.floor((offsetY - layout.top) / rowHeight);
    const row = seen[index];
    if (!row) return undefined;
    const { y, height: unit } = barBox({ offset: 0, thickness: row.whole } as Bar, row, layout.top + index * rowHeight, rowHeight);
    return barAt(row, timeOf(offsetX, layout), ((y + unit - offsetY) / unit) * row.whole);
  };
  const move = (event: React.PointerEvent) => {
    const held = drag.current;
    if (!held) return choose(under(event));
    if (held.pointer !== event.pointerId) return;
    if (!(event.buttons & 1)) return void (drag.current = undefined); // a menu has swallowed the end of the gesture
    const by = (held.x - event.nativeEvent.offsetX) / width;
    held.moved ||= Math.abs(by * width) > 4;
    if (held.moved) show(panned(held.range, by));
  };
  const end = (event: React.PointerEvent) => {
    const held = drag.current;
    if (held?.pointer !== event.pointerId) return undefined;
    drag.current = undefined;
    return held;
  };
  const keys = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return; // the browser zooms
    if (event.key === '0') reset?.();
    const next = { ArrowLeft: panned(range, -0.2), ArrowRight: panned(range, 0.2), '+': zoomed(range, 0.5), '=': zoomed(range, 0.5), '-': zoomed(range, 2) }[event.key];
    if (!next) return;
    event.preventDefault();
    show(next);
  };
  return (
    <>
      <Group gap="sm" wrap="nowrap" justify="space-between" mih={26}>
        <Text size="sm" role="status" className="ellipsis">
          {chosen ? describe(chosen) : hint}
        </Text>
        {reset && (
          <Button
            variant="default"
            size="compact-sm"
            flex="none"
            aria-keyshortcuts="0"
            onClick={() => {
              reset();
              scroller.current!.focus(); // this button disappears
            }}
          >
            Reset zoom
          </Button>
        )}
      </Group>
      <Box ref={ref} className={classes.frame} style={{ '--labels': `${labels}px` } as React.CSSProperties}>
        <div className={classes.axis} aria-hidden="true">
          {axis.at.map((time) => (
            <Mark key={time} at={xOf(time, layout)} text={moment(time, axis.step)} />
          ))}
        </div>
        <div
          ref={scroller}
          className={classes.scroller}
          style={{ height }}
          tabIndex={0}
          role="region"
          aria-label={label}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          onKeyDown={keys}
        >
          <div style={{ height: rows.length * rowHeight }}>
            <div className={classes.view} style={{ height }}>
              <div className={classes.labels} style={{ transform: `translateY(${-scrolled}px)` }}>
                {seen.map((row, i) => (
                  <Label key={row.id} id={row.id} to={rowLink?.(row)} top={(first + i) * rowHeight} height={rowHeight} />
                ))}
              </div>
              <canvas
                ref={canvas}
                className={classes.canvas}
                style={{ width, height }}
                onPointerDown={(event) => {
                  if (!event.isPrimary || event.button !== 0) return;
                  drag.current = { pointer: event.pointerId, x: event.nativeEvent.offsetX, range, moved: false };
                  event.currentTarget.setPointerCapture(event.pointerId);
                }}
                onPointerMove={move}
                onPointerUp={(event) => {
                  const bar = end(event)?.moved === false ? under(event) : undefined;
                  if (bar) onOpen?.(bar);
                }}
                onLostPointerCapture={end}
                onPointerLeave={() => choose(undefined)}
              />
            </div>
          </div>
        </div>
      </Box>
    </>
  );
}

/** Memoised, because a gesture changes no rows, and scrolling changes few. */
const Label = memo(({ id, to, top, height }: { id: string; to: string | undefined; top: number; height: number }) => (
  <div className={classes.label} style={{ top, height }}>
    {to ? (
      <Anchor component={Link} to={to} size="sm" className="ellipsis">
        {id}
      </Anchor>
    ) : (
      <span className="ellipsis">{id}</span>
    )}
  </div>
));

/** A mark of the axis, centred at its line unless it would reach beyond an edge. */
function Mark({ at, text }: { at: number; text: string }) {
  return (
    <span className={classes.mark} style={{ '--at': `${at}px`, '--half': `${text.length / 2}ch` } as React.CSSProperties}>
      {text}
    </span>
  );
}

/** Gives the canvas the pixels of the screen. */
function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const to = canvas.getContext('2d');
  to?.scale(ratio, ratio);
  return to;
}

/**
 * Zooms by the wheel with Ctrl; without Ctrl the wheel scrolls. React cannot prevent the default action of a wheel
 * event.
 */
function useWheel(canvas: React.RefObject<HTMLCanvasElement | null>, zoom: (x: number, times: number) => void) {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const element = canvas.current!;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.offsetX, Math.exp(event.deltaY / 300));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [canvas]);
}

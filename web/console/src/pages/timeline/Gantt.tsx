import { Anchor, Box, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { barAt, type Bar, type Row } from './bars';
import classes from './Gantt.module.css';
import { barBox, inks, paint, timeOf, xOf, type Layout } from './paint';
import { panned, ticks, zoomed, type Range } from './range';

interface Props {
  /** What is shown, for those who cannot see it. */
  label: string;
  rows: Row[];
  range: Range;
  onRange: (range: Range) => void;
  /** A moment in a few words; step is how far marks are apart. */
  moment: (time: number, step: number) => string;
  describe: (bar: Bar) => string;
  /** Addresses of rows and bars; undefined: they lead nowhere. */
  rowLink?: (row: Row) => string;
  onOpen?: (bar: Bar) => void;
  /** Where counting of time begins. */
  zero?: number;
}

const labels = 120;
const most = 560;
const least = 26;

/**
 * Gantt draws rows of bars over time. The wheel zooms while Ctrl is held, dragging moves; on the keyboard plus and minus
 * zoom, left and right move.
 */
export function Gantt({ label, rows, range, onRange, moment, describe, rowLink, onOpen, zero = 0 }: Props) {
  const { ref, width: whole } = useElementSize();
  const scheme = useComputedColorScheme('light');
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [chosen, choose] = useState<Bar>();
  const drag = useRef<{ x: number; range: Range; moved: boolean } | undefined>(undefined);
  const width = Math.max(120, (whole || 900) - labels);
  const rowHeight = Math.min(72, Math.max(least, most / Math.max(1, rows.length)));
  const height = Math.min(most, Math.max(rowHeight, rows.length * rowHeight));
  const first = Math.floor(scrolled / rowHeight);
  const seen = rows.slice(first, first + Math.ceil(height / rowHeight) + 1);
  const layout: Layout = { width, height, rowHeight, top: first * rowHeight - scrolled, range };
  const axis = ticks(range, Math.max(2, Math.floor(width / 110)), zero);

  useEffect(() => {
    const to = sized(canvas.current!, width, height);
    if (to) paint(to, seen, layout, axis.at, chosen, inks[scheme]);
  });
  useZoom(canvas, (x, times) => onRange(zoomed(range, times, timeOf(x, layout))));

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
    const by = (held.x - event.nativeEvent.offsetX) / width;
    held.moved ||= Math.abs(by * width) > 4;
    if (held.moved) onRange(panned(held.range, by));
  };
  const keys = (event: React.KeyboardEvent) => {
    const next = { ArrowLeft: panned(range, -0.2), ArrowRight: panned(range, 0.2), '+': zoomed(range, 0.5), '=': zoomed(range, 0.5), '-': zoomed(range, 2) }[event.key];
    if (!next) return;
    event.preventDefault();
    onRange(next);
  };
  return (
    <>
      <Text size="sm" role="status" mih={22} className="ellipsis">
        {chosen ? describe(chosen) : 'Point at a bar to read what it is. Ctrl and the wheel, or plus and minus, zoom; dragging, or the arrow keys, move.'}
      </Text>
      <Box ref={ref} className={classes.frame} style={{ '--labels': `${labels}px` } as React.CSSProperties}>
        <div className={classes.axis} aria-hidden="true">
          {axis.at.map((time) => (
            <span key={time} className={classes.mark} style={{ left: Math.min(width - 34, Math.max(34, xOf(time, layout))) }}>
              {moment(time, axis.step)}
            </span>
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
              {seen.map((row, i) => (
                <div key={row.id} className={classes.label} style={{ top: layout.top + i * rowHeight, height: rowHeight }}>
                  {rowLink ? (
                    <Anchor component={Link} to={rowLink(row)} size="sm" className="ellipsis">
                      {row.id}
                    </Anchor>
                  ) : (
                    <span className="ellipsis">{row.id}</span>
                  )}
                </div>
              ))}
              <canvas
                ref={canvas}
                className={classes.canvas}
                style={{ width, height }}
                onPointerDown={(event) => {
                  drag.current = { x: event.nativeEvent.offsetX, range, moved: false };
                  event.currentTarget.setPointerCapture(event.pointerId);
                }}
                onPointerMove={move}
                onPointerUp={(event) => {
                  const bar = drag.current?.moved ? undefined : under(event);
                  drag.current = undefined;
                  if (bar) onOpen?.(bar);
                }}
                onPointerLeave={() => choose(undefined)}
              />
            </div>
          </div>
        </div>
      </Box>
    </>
  );
}

/** The canvas with as many pixels as the screen has there. */
function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const to = canvas.getContext('2d');
  to?.scale(ratio, ratio);
  return to;
}

/** Zooms by the wheel while Ctrl is held; otherwise it scrolls, as ever. React cannot prevent what a wheel does. */
function useZoom(canvas: React.RefObject<HTMLCanvasElement | null>, zoom: (x: number, times: number) => void) {
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

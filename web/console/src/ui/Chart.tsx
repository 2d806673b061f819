import { Box, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { zoneName } from '../wording/clock';
import { topOf } from './axis';
import { alone } from './gaps';
import classes from './Chart.module.css';

/** Series is one line of a chart; null is a gap. */
export interface Series {
  label: string;
  values: (number | null)[];
  /** The value holds until the next one, like a share. */
  stepped?: boolean;
  dashed?: boolean;
  fill?: boolean;
}

interface Props {
  /** Description of the chart for people who cannot see it. */
  label: string;
  /** In seconds since 1970. */
  times: number[];
  series: Series[];
  words: (value: number) => string;
  max?: number;
  /** Allowed distances of marks on the vertical axis; left out: round numbers. */
  steps?: number[];
  /** Least upper end of the vertical axis. */
  least?: number;
  height?: number;
}

// Okabe and Ito's colours, which colour-blind people can distinguish. Lines differ in their dashes, too.
const colours = { light: ['#0072b2', '#d55e00', '#009e73', '#8a6100'], dark: ['#56b4e9', '#e69f00', '#3fc796', '#f0e442'] };

/** Chart draws values over time on a canvas. */
export default function Chart({ label, times, series, words, max, steps, least, height = 220 }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme('light');
  const shape = JSON.stringify([scheme, height, max, least, series.map(({ label, stepped, dashed, fill }) => [label, stepped, dashed, fill])]);
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = [times, ...series.map((line) => line.values)];
  const look = useRef({ series, words, steps });
  look.current = { series, words, steps };

  useEffect(() => {
    const element = place.current!;
    plot.current = new uPlot(options(element, scheme, height, (high) => max ?? topOf(high, least), look.current), data.current, element);
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [shape, scheme, height, max, least]);
  useEffect(() => plot.current?.setData(data.current));
  return <Box ref={place} className={classes.chart} role="img" aria-label={`${label}. ${summary(series, words)}`} />;
}

interface Look {
  series: Series[];
  words: (value: number) => string;
  steps?: number[];
}

function options(element: HTMLElement, scheme: 'light' | 'dark', height: number, top: (high: number | null) => number, look: Look): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue(scheme === 'dark' ? '--mantine-color-gray-5' : '--mantine-color-gray-8').trim() || '#555';
  const grid = scheme === 'dark' ? '#33393f' : '#e3e8ec';
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: element.clientWidth || 600,
    height,
    padding: [null, 28, null, null], // room for half of the last time
    scales: { y: { range: (_, low, high) => [Math.min(0, low ?? 0), top(high)] } },
    cursor: { y: false },
    legend: { live: true },
    axes: [{ ...axis, values: (_, splits) => ticks(splits) }, { ...axis, size: 100, incrs: look.steps, values: (_, splits) => splits.map((value) => look.words(value)) }],
    series: [
      { label: `Time, ${zoneName(new Date())}`, value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      ...look.series.map((line, i): uPlot.Series => {
        const colour = colours[scheme][i % 4]!;
        return {
          label: line.label,
          stroke: colour,
          width: 2,
          dash: line.dashed ? [6, 4] : undefined,
          fill: line.fill ? colour + '33' : undefined,
          paths: line.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
          points: { show: true, size: 6, filter: (plot, place) => alone(plot.data[place]!) },
          value: (_, value) => (value === null ? '–' : look.words(value)),
        };
      }),
    ],
  };
}

/** Formats the times of an axis as briefly as their distance allows. */
function ticks(splits: number[]): string[] {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0);
  const form = uPlot.fmtDate(step >= 86400 ? '{YYYY}-{MM}-{DD}' : step < 60 ? '{HH}:{mm}:{ss}' : '{HH}:{mm}');
  return splits.map((at) => form(new Date(at * 1000)));
}

/** Describes the newest, least and greatest value of each line. */
function summary(series: Series[], words: (value: number) => string): string {
  return series
    .map((line) => {
      const known = line.values.filter((value) => value !== null);
      if (known.length === 0) return `${line.label}: no values`;
      const [least, greatest] = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
      return `${line.label}: now ${words(known.at(-1)!)}, from ${words(least)} to ${words(greatest)}`;
    })
    .join('; ');
}

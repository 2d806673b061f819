import { Box, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { spaceFor, topOf } from '../../ui/axis';

/** Curve is one line of a plot; null is a gap. */
export interface Curve {
  label: string;
  values: (number | null)[];
}

interface Props {
  /** Description of the plot for people who cannot see it. */
  label: string;
  x: number[];
  curves: Curve[];
  xWords: (value: number) => string;
  words: (value: number) => string;
  /** The vertical axis is logarithmic and begins at 1. */
  logarithmic?: boolean;
  max?: number;
  /** Allowed distances of marks on the horizontal axis; left out: round numbers. */
  xSteps?: number[];
}

// Okabe and Ito's colours, which colour-blind people can distinguish. Lines differ in their dashes, too.
const colours = {
  light: ['#0072b2', '#d55e00', '#009e73', '#8a6100', '#a3498f', '#56606b', '#7a5ea8', '#1b2126'],
  dark: ['#56b4e9', '#e69f00', '#3fc796', '#f0e442', '#e39bc6', '#b0bac2', '#b9a3e3', '#e4e8eb'],
};
const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
const height = 240;

/** Plot draws a curve per policy. */
export default function Plot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const element = place.current!;
    const plot = new uPlot(options(element, scheme, props), [props.x, ...props.curves.map((curve) => curve.values)], element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [scheme, props]);
  return <Box ref={place} role="img" aria-label={`${props.label}. ${summary(props)}`} />;
}

function options(element: HTMLElement, scheme: 'light' | 'dark', { curves, xWords, xSteps, words, logarithmic, max }: Props): uPlot.Options {
  const ink = scheme === 'dark' ? '#adb5bd' : '#343a40';
  const grid = scheme === 'dark' ? '#33393f' : '#e3e8ec';
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: element.clientWidth || 600,
    height,
    scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : { range: (_, __, high) => [0, max ?? topOf(high)] } },
    cursor: { y: false },
    axes: [
      { ...axis, incrs: xSteps, space: (_, __, low, high) => spaceFor(xWords, low, high), values: (_, splits) => splits.map(xWords) },
      { ...axis, size: 70, values: (_, splits) => splits.map((value) => (value === null ? '' : words(value))) },
    ],
    series: [
      { label: '', value: (_, value) => (value === null ? '–' : xWords(value)) },
      ...curves.map((curve, i): uPlot.Series => ({
        label: curve.label,
        stroke: colours[scheme][i % 8]!,
        width: 2,
        dash: dashes[i % 4]!,
        points: { show: false },
        value: (_, value) => (value === null ? '–' : words(value)),
      })),
    ],
  };
}

/** Returns the least and the greatest value of each curve. */
function summary({ curves, words }: Props): string {
  return curves
    .map(({ label, values }) => {
      const known = values.filter((value) => value !== null);
      if (known.length === 0) return `${label}: no values`;
      const [least, greatest] = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
      return `${label}: from ${words(least)} to ${words(greatest)}`;
    })
    .join('; ');
}

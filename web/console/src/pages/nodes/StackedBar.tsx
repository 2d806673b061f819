import { useId } from 'react';
import type { Segment } from './segments';
import type { Standing } from './standing';
import classes from './StackedBar.module.css';

interface Props {
  label: string;
  segments: Segment[];
  height?: number;
  /** Availability of the node's capacity. */
  standing?: Standing;
}

const width = 1000;

/** StackedBar is a capacity with its parts. Free capacity is empty; unavailable capacity is crossed out or barred. */
export function StackedBar({ label, segments, height = 18, standing = 'open' }: Props) {
  const id = useId();
  let at = 0;
  return (
    <svg className={classes.bar} data-standing={standing} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label} style={{ height }}>
      <defs>
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45) scale(1 1)">
          <rect width="2.4" height="6" fill="#fff" fillOpacity="0.55" />
        </pattern>
      </defs>
      {segments.map((part) => {
        const x = at * width;
        at += part.fraction;
        const wide = Math.max(part.fraction * width - 2, 1);
        return (
          <g key={part.key}>
            <title>{part.label()}</title>
            <rect x={x} width={wide} height={height} fill={part.colour} />
            {part.hatched && <rect x={x} width={wide} height={height} fill={`url(#${id})`} />}
          </g>
        );
      })}
    </svg>
  );
}

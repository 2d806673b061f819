import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Step } from '../../api/workflows';
import { StateBadge } from '../../ui/StateBadge';
import classes from './Graph.module.css';
import { box, layout } from './layout';

/** Graph draws the tasks of a workflow and what they wait for. Each task leads to its job. */
export function Graph({ steps }: { steps: Step[] }) {
  const shape = JSON.stringify(steps.map((it) => [it.name, it.after]));
  const drawing = useMemo(() => layout(steps), [shape]); // states change without moving anything
  const states = new Map(steps.map((it) => [it.name, it]));
  return (
    <div className={classes.frame} role="group" aria-label="Graph of the tasks" tabIndex={0}>
      <div className={classes.drawing} style={{ width: drawing.width, height: drawing.height }}>
        <svg width={drawing.width} height={drawing.height} aria-hidden="true" focusable="false">
          <defs>
            <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M0 0 8 4 0 8z" className={classes.tip} />
            </marker>
          </defs>
          {drawing.lines.map((it) => (
            <polyline key={`${it.from} ${it.to}`} className={classes.line} data-when={it.when} markerEnd="url(#tip)" points={it.points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          ))}
        </svg>
        {drawing.tasks.map(({ step, x, y }) => (
          <Link key={step.name} className={classes.task} to={`/jobs/${states.get(step.name)!.job}`} style={{ left: x, top: y, ...box }} title={describe(step)}>
            <span className={classes.name}>{step.name}</span>{' '}
            <StateBadge state={states.get(step.name)!.state} />
          </Link>
        ))}
      </div>
    </div>
  );
}

const describe = (step: Step) => (step.after.length > 0 ? `${step.name} waits for ${step.after.join(', ')}` : `${step.name} waits for no other task`);

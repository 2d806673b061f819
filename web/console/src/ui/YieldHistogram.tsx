import type { Schemas } from '../api/client';
import { plural, yieldText } from '../wording/amounts';
import classes from './YieldHistogram.module.css';

/** YieldHistogram shows how many jobs have which yield, in tenths. */
export function YieldHistogram({ yields, label = 'Jobs by yield' }: { yields: Schemas['YieldSummary']; label?: string }) {
  const most = Math.max(1, ...yields.counts);
  const words = yields.counts.map((count, i) => count > 0 && `${range(i)}: ${plural(count, 'job')}`).filter(Boolean);
  return (
    <div role="img" aria-label={`${label}. ${words.join('; ')}`} className={classes.histogram}>
      {yields.counts.map((count, i) => (
        <div key={i} className={classes.column} title={`yield ${range(i)}: ${plural(count, 'job')}`}>
          <span className={classes.count}>{count > 0 ? count.toLocaleString('en') : ''}</span>
          <div className={classes.bar} style={{ height: `${(100 * count) / most}%` }} />
          <span className={classes.tick}>{yieldText(i / 10).slice(0, 3)}</span>
        </div>
      ))}
    </div>
  );
}

const range = (tenth: number) => `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`;

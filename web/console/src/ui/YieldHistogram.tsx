import type { Schemas } from '../api/client';
import { count, plural } from '../wording/amounts';
import classes from './YieldHistogram.module.css';

/**
 * YieldHistogram shows the number of jobs by tenth of yield, and separately the number of jobs without a share and with
 * their full need.
 */
export function YieldHistogram({ yields, label = 'Jobs by yield' }: { yields: Schemas['YieldSummary']; label?: string }) {
  const bars = barsOf(yields);
  const most = Math.max(1, ...bars.map((bar) => bar.jobs));
  const words = bars.filter((bar) => bar.jobs > 0).map((bar) => `${bar.range}: ${plural(bar.jobs, 'job')}`);
  return (
    <div role="img" aria-label={`${label}. ${words.join('; ')}`} className={classes.histogram}>
      {bars.map(({ tick, range, jobs }) => (
        <div key={tick} className={classes.column} title={`yield ${range}: ${plural(jobs, 'job')}`}>
          <span className={classes.count}>{jobs > 0 ? count(jobs) : ''}</span>
          <div className={classes.bar} style={{ height: `${(100 * jobs) / most}%` }} />
          <span className={classes.tick}>{tick}</span>
        </div>
      ))}
    </div>
  );
}

interface Bar {
  tick: string;
  range: string;
  jobs: number;
}

function barsOf({ counts, full, without }: Schemas['YieldSummary']): Bar[] {
  const last = counts.length - 1;
  const tenths = counts.map((jobs, i) => {
    const tick = (i / 10).toFixed(1);
    return { tick, range: `${tick} to below ${((i + 1) / 10).toFixed(1)}`, jobs: jobs - (i === last ? full : 0) - (i === 0 ? without : 0) };
  });
  return [{ tick: 'none', range: '0, without a share', jobs: without }, ...tenths, { tick: 'full need', range: '1, at full need', jobs: full }];
}

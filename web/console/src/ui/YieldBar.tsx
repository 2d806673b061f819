import { yieldText } from '../wording/amounts';
import classes from './YieldBar.module.css';

/** YieldBar shows a yield as a number and as a length. */
export function YieldBar({ value }: { value: number | undefined }) {
  return (
    <span className={classes.yield}>
      <span className="number">{yieldText(value)}</span>
      {value !== undefined && (
        <span className={classes.track} aria-hidden="true">
          <span className={classes.fill} style={{ width: `${Math.min(1, value) * 100}%` }} />
        </span>
      )}
    </span>
  );
}

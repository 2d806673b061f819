import classes from './StateBadge.module.css';

type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'calm';
type Shape = 'disc' | 'ring' | 'half' | 'bars' | 'check' | 'cross' | 'arrow' | 'square';

// Every state has its own shape besides its colour, so nobody needs to distinguish colours.
const looks: Record<string, [Tone, Shape]> = {
  running: ['good', 'disc'], ready: ['good', 'disc'], foreground: ['good', 'disc'],
  starting: ['busy', 'half'], booting: ['busy', 'half'], resuming: ['busy', 'half'], resizing: ['busy', 'half'],
  moving: ['busy', 'arrow'], pausing: ['wait', 'half'], stopping: ['wait', 'half'], draining: ['wait', 'arrow'],
  waiting: ['wait', 'ring'], dependent: ['wait', 'arrow'], paused: ['wait', 'bars'], held: ['wait', 'bars'], frozen: ['wait', 'square'],
  returning: ['wait', 'half'], cordoned: ['wait', 'bars'], drained: ['calm', 'bars'],
  succeeded: ['calm', 'check'], ended: ['calm', 'check'], failed: ['bad', 'cross'], stopped: ['calm', 'square'], cancelled: ['calm', 'cross'], skipped: ['calm', 'ring'],
  promised: ['wait', 'ring'], 'in force': ['good', 'disc'], over: ['calm', 'check'], broken: ['bad', 'cross'],
  silent: ['bad', 'ring'], down: ['bad', 'cross'],
  done: ['calm', 'check'], ok: ['good', 'disc'], unavailable: ['bad', 'ring'], unreachable: ['bad', 'cross'], stalled: ['bad', 'square'], unknown: ['wait', 'ring'],
};

const shapes: Record<Shape, string> = {
  disc: 'M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1z',
  ring: 'M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zm0 2a3 3 0 1 1 0 6 3 3 0 1 1 0-6z',
  half: 'M6 1a5 5 0 1 0 0 10zm0 0a5 5 0 1 1 0 10V9a3 3 0 1 0 0-6z',
  bars: 'M2 1h3v10H2zM7 1h3v10H7z',
  check: 'M1 6.5 2.5 5 5 7.5 9.8 2.2 11.3 3.7 5 10.5z',
  cross: 'M2.5 1 6 4.5 9.5 1 11 2.5 7.5 6 11 9.5 9.5 11 6 7.5 2.5 11 1 9.5 4.5 6 1 2.5z',
  arrow: 'M1 5h6V2l4.5 4L7 10V7H1z',
  square: 'M1.5 1.5h9v9h-9z',
};

/** StateBadge shows a state of a job, a task, a node or a manager as a word with a sign. */
export function StateBadge({ state }: { state: string }) {
  const [tone, shape] = looks[state] ?? ['calm', 'ring'];
  return (
    <span className={classes.badge} data-tone={tone}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path d={shapes[shape]} fill="currentColor" fillRule="evenodd" />
      </svg>
      <span className={classes.word}>{state}</span>
    </span>
  );
}

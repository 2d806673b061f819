import { count } from '../../wording/amounts';

/** Returns the number of tasks in each state: "2 running, 1 dependent". */
export function tally(states: Record<string, number>): string {
  return Object.entries(states).filter(([, amount]) => amount > 0).map(([state, amount]) => `${count(amount)} ${state}`).join(', ');
}

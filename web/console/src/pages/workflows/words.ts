import { present } from '../../ui/StateCounts';
import { count } from '../../wording/amounts';

/** Returns the number of tasks in each state: "2 running, 1 dependent". */
export const tally = (states: Record<string, number>) => present(states).map(([state, amount]) => `${count(amount)} ${state}`).join(', ');

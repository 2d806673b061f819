import { SimpleGrid, Text } from '@mantine/core';
import type { SimulationRun } from '../../api/simulations';
import classes from './MoveBars.module.css';

// The kinds of moves that a policy may make, and the load that they put on network and store.
const compared = ['preemptions_per_job', 'migrations_per_job', 'preemption_gb_per_second', 'migration_gb_per_second'];

/** MoveBars draws how often each policy moves jobs. The text beside a bar says the same. */
export function MoveBars({ runs, words }: { runs: SimulationRun[]; words: (value: number) => string }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {compared.map((name) => (
        <Bars key={name} runs={runs} name={name} words={words} />
      ))}
    </SimpleGrid>
  );
}

function Bars({ runs, name, words }: { runs: SimulationRun[]; name: string; words: (value: number) => string }) {
  const rows = runs.map((run) => ({ policy: run.policy, measure: run.measures.find((measure) => measure.name === name) }));
  const title = rows[0]?.measure?.title;
  if (!title) return null;
  const most = Math.max(...rows.map(({ measure }) => measure?.value ?? 0)) || 1;
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {title[0]!.toUpperCase() + title.slice(1)}
      </Text>
      <ul className={classes.rows} aria-label={title}>
        {rows.map(({ policy, measure }) => (
          <li key={policy} className={classes.row}>
            <Text size="xs" className="wrap-anywhere">
              {policy}
            </Text>
            <div aria-hidden="true" className={classes.bar} style={{ width: `${(100 * (measure?.value ?? 0)) / most}%` }} />
            <Text size="xs" className="number">
              {measure ? words(measure.value) : '–'}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

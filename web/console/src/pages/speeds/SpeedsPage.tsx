import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { speedsQuery, type LearntSpeed, type SpeedList } from '../../api/speeds';
import type { Column } from '../../ui/column';
import { EmptyState } from '../../ui/EmptyState';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import { count, cpu, duration } from '../../wording/amounts';

/** SpeedsPage shows how fast each class of nodes does each kind of work. */
export function SpeedsPage() {
  const speeds = useQuery(speedsQuery);
  return (
    <Page title="Speeds">
      <Text size="sm">
        How long jobs of one owner, type and size took on nodes of each class, at full speed by the speeds that the nodes have. Where those are true for the work, all classes have the factor 1. No decision uses the factors: they show
        which node&apos;s speed should be declared otherwise.
      </Text>
      {speeds.error && <ProblemAlert error={speeds.error} retry={() => void speeds.refetch()} />}
      {speeds.isPending && !speeds.error && <Loader aria-label="Loading the speeds" />}
      {speeds.data?.speeds.length === 0 && <EmptyState title="Nothing is learnt yet">Speeds are learnt when jobs succeed on nodes of one class.</EmptyState>}
      {speeds.data && speeds.data.speeds.length > 0 && <VirtualTable label="Speeds" columns={columnsOf(speeds.data)} rows={rowsOf(speeds.data)} rowKey={keyOf} />}
    </Page>
  );
}

/** Work is a kind of work, with what is known of it by class of nodes. */
interface Work {
  of: LearntSpeed;
  on: Map<string, LearntSpeed>;
}

const keyOf = ({ of }: Work) => JSON.stringify([of.project, of.owner, of.type, of.tasks, of.needMillicores]);

function rowsOf({ speeds }: SpeedList): Work[] {
  const rows = new Map<string, Work>();
  for (const speed of speeds) {
    const work = { of: speed, on: new Map<string, LearntSpeed>() };
    const key = keyOf(work);
    if (!rows.has(key)) rows.set(key, work);
    rows.get(key)!.on.set(speed.class, speed);
  }
  return [...rows.values()];
}

function columnsOf({ classes, speeds }: SpeedList): Column<Work>[] {
  const known = new Set(speeds.map((speed) => speed.class));
  return [
    { id: 'project', header: 'Project', width: 120, value: ({ of }) => of.project, cell: ({ of }) => of.project },
    { id: 'owner', header: 'Owner', width: 120, value: ({ of }) => of.owner, cell: ({ of }) => of.owner },
    { id: 'type', header: 'Type', help: 'As the jobs named it, or their image and command', value: ({ of }) => of.type, cell: ({ of }) => of.type },
    { id: 'tasks', header: 'Tasks', width: 80, align: 'end', value: ({ of }) => of.tasks, cell: ({ of }) => count(of.tasks) },
    { id: 'cpu', header: 'CPU', help: 'Need of each task', width: 90, align: 'end', value: ({ of }) => of.needMillicores, cell: ({ of }) => cpu(of.needMillicores) },
    ...classes.filter((on) => known.has(on.class)).map(({ class: name, nodes }) => ({
      id: `on ${name}`,
      header: name,
      help: `${nodes === 1 ? '1 node is' : `${count(nodes)} nodes are`} of this class`,
      width: 190,
      value: ({ on }: Work) => on.get(name)?.factor,
      cell: ({ on }: Work) => factor(on.get(name)),
    })),
  ];
}

/** Tells a factor with its standard error, and what it was learnt from. */
function factor(speed: LearntSpeed | undefined): string {
  if (!speed) return '–';
  const { succeeded, medianSeconds } = speed.similar;
  const runs = `${succeeded === 1 ? '1 run' : `${count(succeeded)} runs`}, half within ${duration(medianSeconds)}`;
  if (!speed.factor) return `too few to compare (${runs})`;
  const known = speed.factor === 1 ? '1' : `${speed.factor.toFixed(2)} ± ${(speed.factor * (speed.error ?? 0)).toFixed(2)}`;
  return `${known} (${runs})`;
}

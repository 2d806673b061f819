import { Button, Group, Loader, Modal, Progress, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Job } from '../../api/client';
import { idempotencyKey } from '../../api/client';
import { problemOf, ProblemError } from '../../api/problem';
import { useSession } from '../../api/session';
import { useNotify } from '../../ui/Notifications';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { count, plural } from '../../wording/amounts';
import { concerned, runAll, type Bulk, type Failure } from './bulk';
import type { Selection } from './selection';

const few = 10;

/** BulkDialog shows which jobs would be changed, asks once, and changes them. */
export function BulkDialog({ bulk, selection, close }: { bulk: Bulk; selection: Selection; close: () => void }) {
  const session = useSession();
  const [key] = useState(idempotencyKey);
  const selected = useQuery({ queryKey: ['jobs', 'selected', key], queryFn: selection.jobs, staleTime: Infinity, gcTime: 0 });
  const jobs = selected.data && concerned(bulk, selected.data, session);
  const { run, tried, stop } = useBulk(bulk, key, () => {
    selection.clear();
    close();
  });
  return (
    <Modal opened onClose={run.isPending ? stop : close} title={`${bulk.verb} ${jobs ? plural(jobs.length, 'job') : 'jobs'}?`} size="lg">
      <Stack gap="sm">
        {selected.error && <ProblemAlert error={selected.error} retry={() => void selected.refetch()} />}
        {selected.isPending && <Loader aria-label="Loading the selected jobs" />}
        {jobs && <Preview bulk={bulk} jobs={jobs} skipped={selected.data.length - jobs.length} />}
        {run.isPending && <Progress value={(100 * tried) / (jobs?.length || 1)} aria-label={`${tried} of ${jobs?.length}`} />}
        <Group justify="end">
          <Button variant="default" onClick={run.isPending ? stop : close} data-autofocus>
            {run.isPending ? 'Stop' : 'Leave them'}
          </Button>
          <Button color={bulk.verb === 'Cancel' ? 'red.8' : undefined} disabled={!jobs?.length} loading={run.isPending} onClick={() => run.mutate(jobs!)}>
            {bulk.verb} {jobs ? plural(jobs.length, 'job') : ''}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Preview({ bulk, jobs, skipped }: { bulk: Bulk; jobs: Job[]; skipped: number }) {
  return (
    <>
      {jobs.length > 0 && <Text size="sm">{bulk.about}</Text>}
      {skipped > 0 && (
        <Text size="sm">
          {plural(skipped, 'selected job')} {skipped === 1 ? 'stays' : 'stay'} as {skipped === 1 ? 'it is' : 'they are'}: {bulk.leftOut}, or not yours to change.
        </Text>
      )}
      {jobs.length > 0 && (
        <Table aria-label="Jobs that would change" verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Job</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Owner</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {jobs.slice(0, few).map((job) => (
              <Table.Tr key={job.id}>
                <Table.Td>{job.id}</Table.Td>
                <Table.Td className="wrap-anywhere">{job.name}</Table.Td>
                <Table.Td>
                  <StateBadge state={job.state} />
                </Table.Td>
                <Table.Td className="wrap-anywhere">{job.owner}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {jobs.length > few && <Text size="sm">…and {count(jobs.length - few)} more.</Text>}
    </>
  );
}

/** Runs a change of several jobs and tells the outcome. */
function useBulk(bulk: Bulk, key: string, end: () => void) {
  const client = useQueryClient();
  const notify = useNotify();
  const [tried, setTried] = useState(0);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: (jobs: Job[]) => runAll(bulk, jobs, key, setTried, () => stopped.current),
    onSuccess: ({ tried, failures }, jobs) => {
      const text = `${count(tried - failures.length)} of ${plural(jobs.length, 'job')} ${jobs.length === 1 ? 'is' : 'are'} ${bulk.done}`;
      if (failures.length > 0) notify.problem(first(failures), text);
      else notify.done(text);
      void client.invalidateQueries({ queryKey: ['jobs'] });
      end();
    },
  });
  return { run, tried, stop: () => (stopped.current = true) };
}

/** Returns the first error, with the job in its words. */
function first([failure]: Failure[]): unknown {
  const problem = problemOf(failure!.error);
  return new ProblemError({ ...problem, detail: `${failure!.job}: ${problem.detail}` });
}

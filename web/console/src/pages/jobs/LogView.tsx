import { Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Job } from '../../api/client';
import { logAddress, type LogSource } from '../../api/logs';
import { hasCode, problemOf } from '../../api/problem';
import { Icon } from '../../ui/Icon';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { plural } from '../../wording/amounts';
import classes from './LogView.module.css';
import { useLog } from './useLog';
import { TaskSelect, useTask } from './TaskSelect';

const streams: { value: LogSource['stream']; label: string }[] = [
  { value: 'all', label: 'All output' },
  { value: 'stdout', label: 'Standard output' },
  { value: 'stderr', label: 'Standard error' },
  { value: 'console', label: 'Kernel of the guest' },
];

/** LogView follows the output of a task of a job. */
export function LogView({ job }: { job: Job }) {
  const [index, setTask] = useTask(job);
  const [run, setRun] = useUrlState('run');
  const [stream, setStream] = useUrlState('stream', 'all');
  const [follow, setFollow] = useUrlState('follow', 'yes');
  const latest = job.tasks?.[index]?.run ?? 0;
  const earlier = Number(run) > 0 && Number(run) < latest ? Number(run) : undefined;
  const source: LogSource = { job: job.id, task: index, run: earlier ?? latest, stream: streams.find((it) => it.value === stream)?.value ?? 'all' };
  const log = useLog(source, earlier !== undefined || isOver(job, index));
  return (
    <Stack gap="sm">
      <Group align="end">
        <TaskSelect job={job} task={index} choose={setTask} />
        {latest > 1 && (
          <Select
            label="Run"
            data={Array.from({ length: latest }, (_, i) => ({ value: String(latest - i), label: i === 0 ? `${latest}, the latest` : String(latest - i) }))}
            value={String(earlier ?? latest)}
            onChange={(value) => setRun(value === String(latest) ? '' : (value ?? ''))}
            allowDeselect={false}
            w={130}
          />
        )}
        <Select label="Output" data={streams} value={source.stream} onChange={(value) => setStream(value ?? 'all')} allowDeselect={false} w={200} />
        <Switch label="Follow" checked={follow === 'yes'} onChange={(event) => setFollow(event.currentTarget.checked ? 'yes' : 'no')} mb={8} />
        <Button component="a" variant="default" href={logAddress(source)} download={`${job.id}-${source.task}.log`} leftSection={<Icon name="download" />}>
          Download
        </Button>
      </Group>
      {log.state === 'ended' && log.error !== undefined && <LogProblem error={log.error} job={job} />}
      {(log.error === undefined || log.text !== '') && <LogText text={log.text} follow={follow === 'yes'} />}
      {(log.state !== 'ended' || log.error === undefined) && (
        <Text size="sm" c="var(--aliquot-quiet)" role="status">
          {log.state === 'broken' ? `${sentence(problemOf(log.error).detail)} The output continues here when it is readable again.` : words[log.state]}
          {log.dropped > 0 && ` The first ${plural(log.dropped, 'character')} are omitted; download the log to see them.`}
          {log.text === '' && log.state === 'ended' && ' There was none.'}
        </Text>
      )}
    </Stack>
  );
}

const words = { reading: 'Following the output.', ended: 'The output has ended.' };

/** Reports whether the latest run of a task is over. */
function isOver(job: Job, task: number): boolean {
  const state = job.tasks?.[task]?.state;
  return job.ended !== undefined || state === 'ended' || state === 'waiting';
}

function LogProblem({ error, job }: { error: unknown; job: Job }) {
  if (!hasCode(error, 'no_logs')) return <ProblemAlert error={error} />;
  return (
    <Text role="status">
      {job.ended ? 'There is no output of this task.' : 'There is no output yet: it appears here when the task has started.'}
    </Text>
  );
}

function LogText({ text, follow }: { text: string; follow: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, follow]);
  return (
    <pre ref={box} className={classes.log} tabIndex={0} aria-label="Output" role="log">
      {text}
    </pre>
  );
}

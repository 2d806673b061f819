import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Job } from '../../api/client';
import { openShell, type Outcome, type Shell } from '../../api/shell';
import { useMaySteer } from '../../api/session';
import type { Screen } from '../../ui/screen';
import classes from './ShellView.module.css';
import { TaskSelect, useTask } from './TaskSelect';

/** A command that somebody asked for. */
interface Asked {
  task: number;
  command: string;
  /** Tells one from the one before. */
  number: number;
}

/** ShellView runs a command beside a task of a job, in its VM, at a terminal. */
export function ShellView({ job }: { job: Job }) {
  const [index, setTask] = useTask(job);
  const [command, setCommand] = useState('sh');
  const [asked, ask] = useState<Asked>();
  const state = job.tasks?.[index]?.state;
  if (!useMaySteer(job)) return <Text>Only its owner and operators run commands beside the tasks of a job.</Text>;
  const begin = () => ask({ task: index, command: command.trim(), number: (asked?.number ?? 0) + 1 });
  return (
    <Stack gap="sm">
      <Group align="end">
        <TaskSelect job={job} task={index} choose={setTask} />
        <TextInput label="Command" value={command} onChange={(event) => setCommand(event.currentTarget.value)} w={260} />
        <Button onClick={begin} disabled={state !== 'running' || command.trim() === ''}>
          {asked ? 'Run again' : 'Run'}
        </Button>
      </Group>
      <Text size="sm" c="var(--aliquot-quiet)">
        {state === 'running'
          ? 'The command runs in the VM of the task, as its user and in its folder, until it ends or you leave this tab. Shift and Tab leave the terminal.'
          : 'A command can run beside a task only while that runs.'}
      </Text>
      {asked && <Session key={asked.number} job={job.id} asked={asked} />}
    </Stack>
  );
}

/** The bytes that may wait to be shown. */
const most = 8 << 20;

function Session({ job, asked }: { job: string; asked: Asked }) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'begins' | 'runs' | Outcome>('begins');
  useEffect(() => {
    let left = false;
    let screen: Screen | undefined;
    let shell: Shell | undefined;
    let waiting = 0;
    const begin = ({ openScreen }: typeof import('../../ui/screen')) => {
      if (left) return;
      screen = openScreen(box.current!, `Terminal of task ${asked.task}`, {
        type: (text) => shell?.type(text),
        resize: (size) => shell?.resize(size),
      });
      const words = ['/bin/sh', '-c', asked.command];
      shell = openShell({ job, task: asked.task, words, size: screen.size() }, {
        begins: () => setState('runs'),
        writes: (bytes) => {
          waiting += bytes.length;
          screen?.write(bytes, () => (waiting -= bytes.length));
          if (waiting <= most) return;
          shell?.close();
          setState({ error: 'it was stopped, because it writes faster than this page can show' });
        },
        ends: setState,
      });
      screen.focus();
    };
    import('../../ui/screen').then(begin, () => setState({ error: 'the terminal cannot be loaded; reload the page' }));
    return () => {
      left = true;
      shell?.close();
      screen?.close();
    };
  }, [job, asked]);
  return (
    <>
      <div ref={box} className={classes.screen} />
      <Text role="status">{`Task ${asked.task}: ${words(state)}`}</Text>
    </>
  );
}

function words(state: 'begins' | 'runs' | Outcome): string {
  if (state === 'begins') return 'connecting.';
  if (state === 'runs') return 'the command runs.';
  return state.error ? `${state.error}.` : `the command has ended with code ${state.code ?? 0}.`;
}

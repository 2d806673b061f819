import { Button, Group, Notification, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { problemOf } from '../api/problem';
import classes from './Notifications.module.css';
import { sentence } from './ProblemAlert';
import { Prose } from './Prose';

/** Undoes an action. */
export interface Undo {
  label: string;
  run: () => void;
}

interface Notice {
  id: number;
  bad: boolean;
  title: string;
  text?: string;
  undo?: Undo;
}

interface Notify {
  done: (title: string, undo?: Undo) => void;
  problem: (error: unknown, title: string) => void;
}

const NotifyContext = createContext<Notify | null>(null);
const shown = 8000;
const shownWithUndo = 30_000;
const most = 4; // problems that are not closed do not count

/** Returns the function that shows the outcome of an action; call it only inside Notifications. */
export function useNotify(): Notify {
  const notify = useContext(NotifyContext);
  if (!notify) throw new Error('there are no notifications here');
  return notify;
}

/** Notifications shows outcomes in the corner: successes for a while, problems until they are closed. */
export function Notifications({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const next = useRef(0);
  const close = useCallback((id: number) => setNotices((old) => old.filter((notice) => notice.id !== id)), []);
  const show = useCallback(
    (notice: Omit<Notice, 'id'>) => {
      const id = next.current++;
      setNotices((old) => fewer([...old, { ...notice, id }]));
    },
    [],
  );
  const notify = useMemo<Notify>(
    () => ({
      done: (title, undo) => show({ bad: false, title, undo }),
      problem: (error, title) => {
        const problem = problemOf(error);
        show({ bad: true, title, text: `${sentence(problem.detail)} ${problem.help}` });
      },
    }),
    [show],
  );
  const region = useRef<HTMLDivElement>(null);
  useHotkeys([['F8', () => [...(region.current?.children ?? [])].at(-1)?.querySelector<HTMLElement>('button')?.focus()]], []);
  return (
    <NotifyContext value={notify}>
      {children}
      <Stack ref={region} className={classes.corner} gap="xs" role="region" aria-label="Notifications (F8)" aria-live="polite">
        {notices.map((notice) => (
          <NoticeView key={notice.id} notice={notice} close={close} />
        ))}
      </Stack>
    </NotifyContext>
  );
}

/** Removes the oldest successes if there are too many notices. Problems stay until they are closed. */
function fewer(notices: Notice[]): Notice[] {
  const successes = notices.filter((notice) => !notice.bad);
  const old = new Set(successes.slice(0, -most));
  return notices.filter((notice) => !old.has(notice));
}

/** NoticeView closes itself, unless it shows a problem, or has the pointer or the focus. */
function NoticeView({ notice, close }: { notice: Notice; close: (id: number) => void }) {
  const { id, bad, undo } = notice;
  const [held, hold] = useState(false);
  useEffect(() => {
    if (bad || held) return undefined;
    const timer = setTimeout(() => close(id), undo ? shownWithUndo : shown);
    return () => clearTimeout(timer);
  }, [id, bad, held, undo, close]);
  return (
    <Notification
      color={bad ? 'red' : 'petrol'}
      title={notice.title}
      role={bad ? 'alert' : 'status'}
      withBorder
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
      onClose={() => close(id)}
      closeButtonProps={{ 'aria-label': 'Close the notification' }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="wrap-anywhere">
          {notice.text && <Prose text={notice.text} />}
        </Text>
        {undo && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              undo.run();
              close(id);
            }}
          >
            {undo.label}
          </Button>
        )}
      </Group>
    </Notification>
  );
}

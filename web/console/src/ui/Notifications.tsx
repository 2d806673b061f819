import { Button, Group, Notification, Stack, Text } from '@mantine/core';
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { problemOf } from '../api/problem';
import classes from './Notifications.module.css';
import { sentence } from './ProblemAlert';
import { Prose } from './Prose';

/** A way back from what was done. */
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
const most = 4;

/** Says how an action ended; only inside Notifications. */
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
      setNotices((old) => [...old, { ...notice, id }].slice(-most));
      if (!notice.bad) setTimeout(() => close(id), shown);
    },
    [close],
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
  return (
    <NotifyContext value={notify}>
      {children}
      <Stack className={classes.corner} gap="xs" role="region" aria-label="Notifications" aria-live="polite">
        {notices.map((notice) => (
          <Notification
            key={notice.id}
            color={notice.bad ? 'red' : 'petrol'}
            title={notice.title}
            role={notice.bad ? 'alert' : 'status'}
            withBorder
            onClose={() => close(notice.id)}
            closeButtonProps={{ 'aria-label': 'Close the notification' }}
          >
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" className="wrap-anywhere">
                {notice.text && <Prose text={notice.text} />}
              </Text>
              {notice.undo && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => {
                    notice.undo?.run();
                    close(notice.id);
                  }}
                >
                  {notice.undo.label}
                </Button>
              )}
            </Group>
          </Notification>
        ))}
      </Stack>
    </NotifyContext>
  );
}

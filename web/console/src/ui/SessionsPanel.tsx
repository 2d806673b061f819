import { Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { endSession, endSessions, sessionsQuery, type UsedSession } from '../api/sessions';
import type { Action } from './action';
import { ActionButton } from './ActionButton';
import { momentWidth, type Column } from './column';
import { Moment } from './Moment';
import { useNarrow } from './narrow';
import { Panel } from './Panel';
import { ProblemAlert } from './ProblemAlert';
import { SilentManagers } from './SilentManagers';
import { VirtualTable } from './VirtualTable';

interface Props {
  title: string;
  /** Only sessions of this token; left out: all that the session may see. */
  token?: string;
}

/** SessionsPanel lists the sessions in use and ends them. */
export function SessionsPanel({ title, token }: Props) {
  const sessions = useQuery(sessionsQuery(token));
  const client = useQueryClient();
  const narrow = useNarrow();
  const columns = useMemo(() => {
    const ended = () => void client.invalidateQueries({ queryKey: ['sessions'] });
    return narrow ? narrowColumnsOf(ended) : columnsOf(ended);
  }, [client, narrow]);
  const list = sessions.data?.sessions ?? [];
  return (
    <Panel title={title} aside={token && <ActionButton size="compact-sm" action={endAll(token)} />}>
      {sessions.error && <ProblemAlert error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isPending && !sessions.error && <Loader aria-label="Loading the sessions" />}
      <SilentManagers silent={sessions.data?.silent} missing="sessions" />
      {sessions.data && list.length === 0 && <Text size="sm">No session is in use.</Text>}
      {list.length > 0 && <VirtualTable label={title} columns={columns} rows={list} rowKey={(session) => session.id} height="auto" />}
    </Panel>
  );
}

const columnsOf = (ended: () => void): Column<UsedSession>[] => [
  { id: 'token', header: 'Token', width: 130, cell: (session) => session.tokenName },
  { id: 'role', header: 'Role', width: 90, cell: (session) => session.role },
  { id: 'from', header: 'From', help: 'Address of its last use', width: 150, cell: (session) => session.from || '–' },
  { id: 'since', header: 'Since', width: momentWidth.short, cell: (session) => <Moment at={session.since} /> },
  { id: 'used', header: 'Last use', help: 'To the minute', width: momentWidth.short, cell: (session) => <Moment at={session.used} /> },
  { id: 'end', header: 'End', width: 120, cell: (session) => <EndButton session={session} ended={ended} /> },
];

/** On a phone, one column holds all but the button. */
const narrowColumnsOf = (ended: () => void): Column<UsedSession>[] => [
  {
    id: 'session',
    header: 'Session',
    cell: (session) => (
      <Stack gap={0}>
        <span>{`${session.tokenName} (${session.role}) from ${session.from || 'an unknown address'}`}</span>
        <span>
          last use <Moment at={session.used} brief />
        </span>
      </Stack>
    ),
  },
  { id: 'end', header: 'End', width: 96, cell: (session) => <EndButton session={session} ended={ended} /> },
];

function EndButton({ session, ended }: { session: UsedSession; ended: () => void }) {
  if (session.own) return 'this one';
  return <ActionButton size="compact-sm" action={end(session, ended)} aria-label={`End the session of ${session.tokenName} from ${session.from}`} />;
}

const end = (session: UsedSession, ended: () => void): Action => ({
  label: 'End',
  run: (key) => endSession(session.id, key).finally(ended),
  done: `The session of ${session.tokenName} is ended`,
  confirm: {
    title: 'End this session?',
    verb: 'End it',
    body: `The browser at ${session.from || 'an unknown address'} is logged out at once, at all managers. The token ${session.tokenName} stays valid.`,
  },
});

const endAll = (token: string): Action => ({
  label: 'End all',
  run: (key) => endSessions(token, key),
  done: 'All sessions of the token are ended',
  confirm: {
    title: 'End all sessions of this token?',
    verb: 'End them all',
    body: 'All browsers that were logged in with the token are logged out, and its login codes no longer work. You are logged out, too, if your session is based on it. The token stays valid.',
  },
});

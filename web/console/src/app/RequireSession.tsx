import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { hasCode } from '../api/problem';
import { SessionContext, sessionQuery } from '../api/session';
import { Loading } from './Loading';
import { ProblemAlert } from '../ui/ProblemAlert';

/**
 * RequireSession shows its children to a logged-in user. Otherwise it shows the login page, which returns here
 * afterwards.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  if (session.error && hasCode(session.error, 'unauthorized')) {
    const ended = session.data ? session.error.message : undefined; // a visitor without a session has lost nothing
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} state={{ ended }} replace />;
  }
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.error) {
    return (
      <Box p="md" component="main">
        <ProblemAlert error={session.error} retry={() => void session.refetch()} />
      </Box>
    );
  }
  return <Loading />;
}

import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { hasCode } from '../api/problem';
import { SessionContext, sessionQuery } from '../api/session';
import { Loading } from './Loading';
import { ProblemAlert } from '../ui/ProblemAlert';

/** RequireSession shows its children to who is logged in and the login page, which leads back here, to others. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  if (session.error && hasCode(session.error, 'unauthorized')) {
    const ended = session.data ? session.error.message : undefined; // who never was here has not lost anything
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

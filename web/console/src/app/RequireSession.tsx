import { Box, Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { hasCode } from '../api/problem';
import { SessionContext, sessionQuery } from '../api/session';
import { useConnection } from '../live/LiveProvider';
import { ProblemAlert } from '../ui/ProblemAlert';

/** RequireSession shows its children to who is logged in and the login page, which leads back here, to others. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  if (session.error && hasCode(session.error, 'unauthorized')) {
    return <Navigate to={`/login?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.error) {
    return (
      <Box p="md" component="main">
        <ProblemAlert error={session.error} retry={() => void session.refetch()} />
      </Box>
    );
  }
  return (
    <Center h="100vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

/** Asks again who we are when the stream says that it knows us no more. */
export function useExpiry(refetch: () => void) {
  const connection = useConnection();
  const expired = connection.state === 'lost' && connection.problem.code === 'unauthorized';
  useEffect(() => {
    if (expired) refetch();
  }, [expired, refetch]);
}

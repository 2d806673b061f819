import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode, ProblemError } from '../api/problem';
import { sessionQuery } from '../api/session';

/** Creates the cache of answers. Events refresh answers; answers without an event have an interval. */
export function createQueryClient(): QueryClient {
  const askWhoWeAre = (error: unknown) => {
    if (hasCode(error, 'unauthorized')) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.queryKey[0] !== sessionQuery.queryKey[0]) askWhoWeAre(error);
      },
    }),
    mutationCache: new MutationCache({ onError: askWhoWeAre }),
    defaultOptions: {
      // A browser that calls itself offline may still reach a manager on this machine.
      queries: { staleTime: 5_000, retry: worthRetrying, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

// A refused request would be refused again. Other failures may pass.
function worthRetrying(failures: number, error: unknown): boolean {
  const refused = error instanceof ProblemError && error.problem.status >= 400 && error.problem.status < 500;
  return !refused && failures < 3;
}

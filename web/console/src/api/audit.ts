import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type AuditEntry = Schemas['AuditEntry'];
export type Outcome = AuditEntry['outcome'];

/** Restrictions of the audit log; empty fields do not restrict. */
export interface AuditFilter {
  who?: string;
  operations?: string[];
  outcome?: Outcome;
  from?: string;
  to?: string;
}

/** The audit logs of all managers, newest first. */
export const auditQuery = ({ who, operations, outcome, from, to }: AuditFilter, limit = 200) =>
  infiniteQueryOptions({
    queryKey: ['audit', { who, operations, outcome, from, to }],
    queryFn: ({ pageParam }) =>
      content(
        api.GET('/v1/audit', {
          params: {
            query: {
              who: who || undefined,
              operation: operations && operations.length > 0 ? operations : undefined,
              outcome,
              from,
              to,
              cursor: pageParam || undefined,
              limit,
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });

import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { api, content, type Schemas } from './client';

/** A session is a logged-in user with a role. */
export type Session = Schemas['Session'];
type Role = Session['role'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => content(api.GET('/v1/session')),
  retry: false,
  staleTime: 60_000,
});

export const SessionContext = createContext<Session | null>(null);

/** Returns the session; call it only inside RequireSession. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session here');
  return session;
}

const order: Role[] = ['viewer', 'user', 'operator', 'admin'];

/** Reports whether the session has at least that role. */
export const useMay = (role: Role) => has(useSession(), role);

const has = (session: Session, role: Role) => order.indexOf(session.role) >= order.indexOf(role);

/** Reports whether the session may control that job. */
export const useMaySteer = (job: Owned) => maySteer(useSession(), job);

/** Owned is what belongs to an owner in a project. */
interface Owned {
  owner: string;
  project: string;
}

/** Reports whether the session may control the job. */
export function maySteer(session: Session, job: Owned): boolean {
  return has(session, 'operator') || (session.role === 'user' && session.owner === job.owner && session.project === job.project);
}

/** Reports whether the session may submit jobs, and sees the job's whole specification. */
export function useMayCopy(job: { project: string }): boolean {
  const session = useSession();
  const operator = useMay('operator');
  return operator || (session.role === 'user' && session.project === job.project);
}

/** Credentials for a login: the code of a one-time address, or a token's secret. */
export type Credential = Schemas['Login'];

/** Logs in. The browser keeps the session's cookie, which scripts cannot read. */
export const enterSession = (credential: Credential) => content(api.POST('/v1/session', { body: credential }));

/** Logs out. */
export const leaveSession = () => api.DELETE('/v1/session');

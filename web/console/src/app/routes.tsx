import type { RouteObject } from 'react-router';
import { LoginPage } from '../pages/login/LoginPage';
import { Loading } from './Loading';
import { NotFound } from './NotFound';
import { RouteError } from './RouteError';
import { Shell } from './Shell';

/** All addresses of the console. Each page is loaded when it is first opened. */
export const routes: RouteObject[] = [
  { path: '/login', Component: LoginPage, ErrorBoundary: RouteError },
  {
    Component: Shell,
    ErrorBoundary: RouteError,
    HydrateFallback: Loading,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          { path: '/', lazy: async () => ({ Component: (await import('../pages/overview/OverviewPage')).OverviewPage }) },
          { path: '/jobs', lazy: async () => ({ Component: (await import('../pages/jobs/JobsPage')).JobsPage }) },
          { path: '/jobs/submit', lazy: async () => ({ Component: (await import('../pages/jobs/SubmitPage')).SubmitPage }) },
          { path: '/jobs/:job', lazy: async () => ({ Component: (await import('../pages/jobs/JobPage')).JobPage }) },
          { path: '/workflows', lazy: async () => ({ Component: (await import('../pages/workflows/WorkflowsPage')).WorkflowsPage }) },
          { path: '/workflows/:workflow', lazy: async () => ({ Component: (await import('../pages/workflows/WorkflowPage')).WorkflowPage }) },
          { path: '/nodes', lazy: async () => ({ Component: (await import('../pages/nodes/NodesPage')).NodesPage }) },
          { path: '/nodes/:node', lazy: async () => ({ Component: (await import('../pages/nodes/NodePage')).NodePage }) },
          { path: '/plan', lazy: async () => ({ Component: (await import('../pages/plan/PlanPage')).PlanPage }) },
          { path: '/timeline', lazy: async () => ({ Component: (await import('../pages/timeline/TimelinePage')).TimelinePage }) },
          { path: '/reservations', lazy: async () => ({ Component: (await import('../pages/reservations/ReservationsPage')).ReservationsPage }) },
          { path: '/simulate', lazy: async () => ({ Component: (await import('../pages/simulate/SimulatePage')).SimulatePage }) },
          { path: '/policy', lazy: async () => ({ Component: (await import('../pages/policy/PolicyPage')).PolicyPage }) },
          { path: '/usage', lazy: async () => ({ Component: (await import('../pages/usage/UsagePage')).UsagePage }) },
          { path: '/speeds', lazy: async () => ({ Component: (await import('../pages/speeds/SpeedsPage')).SpeedsPage }) },
          { path: '/events', lazy: async () => ({ Component: (await import('../pages/events/EventsPage')).EventsPage }) },
          { path: '/tokens', lazy: async () => ({ Component: (await import('../pages/tokens/TokensPage')).TokensPage }) },
          { path: '/audit', lazy: async () => ({ Component: (await import('../pages/audit/AuditPage')).AuditPage }) },
          { path: '/images', lazy: async () => ({ Component: (await import('../pages/images/ImagesPage')).ImagesPage }) },
          { path: '/about', lazy: async () => ({ Component: (await import('../pages/about/AboutPage')).AboutPage }) },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];

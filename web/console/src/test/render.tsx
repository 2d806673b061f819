import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router';
import { vi } from 'vitest';
import type { Schemas } from '../api/client';
import { SessionContext, type Session } from '../api/session';
import { theme } from '../app/theme';
import { Notifications } from '../ui/Notifications';

export const admin: Session = {
  actor: 'admin', token: 't-admin', tokenName: 'admin', owner: 'admin', project: 'default', role: 'admin', cookie: true,
};

interface Options {
  /** The address of the page; the router matches it against the pattern. */
  at?: string;
  pattern?: string;
  session?: Session;
  routes?: RouteObject[];
}

/** Renders a page as the shell would, but without the event stream. Returns the router, which knows the address. */
export function renderPage(page: ReactNode, { at = '/', pattern = at.split('?')[0]!, session = admin, routes = [] }: Options = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter([{ path: pattern, element: page }, ...routes, { path: '*', element: null }], { initialEntries: [at] });
  render(
    <MantineProvider env="test" theme={theme}>
      <QueryClientProvider client={client}>
        <Notifications>
          <SessionContext value={session}>
            <RouterProvider router={router} />
          </SessionContext>
        </Notifications>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router, client };
}

/** The greatest width of a table in a window of 1280 pixels: without navigation, margins and two scroll bars. */
export const roomForTables = 1280 - 200 - 32 - 32;

/** Makes the window as narrow as a phone. */
export function narrowed() {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('36em'), media: query, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
  );
}

export const problem = (status: number, code: string, detail: string, more: Partial<Schemas['Problem']> = {}): Schemas['Problem'] => ({
  type: 'about:blank', title: 'Error', status, code, detail, help: 'Help for ' + code + '.', ...more,
});

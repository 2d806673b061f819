import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { RouterProvider } from 'react-router';
import { Notifications } from '../ui/Notifications';
import { theme } from './theme';

type Router = ComponentProps<typeof RouterProvider>['router'];

/** App is the console: its theme, its cache of answers, its pages. */
export function App({ router, client, nonce }: { router: Router; client: QueryClient; nonce: string }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <Notifications>
          <RouterProvider router={router} />
        </Notifications>
      </QueryClientProvider>
    </MantineProvider>
  );
}

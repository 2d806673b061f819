import { Anchor, AppShell, Burger, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import { sessionQuery } from '../api/session';
import { LiveProvider, useConnection } from '../live/LiveProvider';
import { useArrival } from './arrival';
import { ConnectionBadge } from './ConnectionBadge';
import { ConnectionBanner } from './ConnectionBanner';
import { Navigation } from './Navigation';
import { RequireSession } from './RequireSession';
import { SchemeSwitch } from './SchemeSwitch';
import { SessionMenu } from './SessionMenu';

/** Shell surrounds every page: navigation, the state of the connection, and the session. */
export function Shell() {
  return (
    <RequireSession>
      <LiveProvider>
        <Frame />
      </LiveProvider>
    </RequireSession>
  );
}

function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const loading = useNavigation().state === 'loading';
  useEffect(close, [pathname, close]);
  useExpiry();
  useArrival();
  return (
    <AppShell header={{ height: 52 }} navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Anchor component={Link} to="/" underline="never" c="inherit">
              <Group gap={8} wrap="nowrap">
                <img src="/icon.svg" width={24} height={24} alt="" />
                <Text fw={700} size="lg">
                  Aliquot
                </Text>
              </Group>
            </Anchor>
            {loading && <Loader size="xs" aria-label="Loading" />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ConnectionBadge />
            <SchemeSwitch />
            <SessionMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** Requests the session again when the stream reports that it is over. */
function useExpiry() {
  const client = useQueryClient();
  const connection = useConnection();
  const expired = connection.state === 'lost' && connection.problem.code === 'unauthorized';
  useEffect(() => {
    if (expired) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }, [expired, client]);
}

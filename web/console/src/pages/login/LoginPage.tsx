import { Alert, Box, Button, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { hasCode } from '../../api/problem';
import { enterSession, type Credential } from '../../api/session';
import { Icon } from '../../ui/Icon';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';

/** LoginPage exchanges the code of a one-time address, or a token, for a session. */
export function LoginPage() {
  const { login, ended } = useLogin();
  const [token, setToken] = useState('');
  useEffect(() => {
    document.title = 'Log in · Aliquot';
  }, []);
  return (
    <Box component="main" p="md" mx="auto" mt="10vh" maw={480}>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={1} size="h3">
            Aliquot
          </Title>
          {ended && !login.error && (
            <Alert role="alert" color="yellow" variant="outline" icon={<Icon name="warning" />} title="Your session has ended">
              <Text size="sm" c="var(--mantine-color-text)">
                {ended} Log in again to go on where you were.
              </Text>
            </Alert>
          )}
          {login.isPending && <Text role="status">Logging in…</Text>}
          {login.error && <LoginProblem error={login.error} sent={login.variables} again={login.mutate} />}
          <Text size="sm">
            A one-time address is printed by <Code>aliquot console login</Code>; open it in this browser. Or enter a token:
          </Text>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              login.mutate({ token: token.trim() });
            }}
          >
            <Stack>
              <PasswordInput
                label="Token"
                placeholder="alq_…"
                autoComplete="current-password"
                value={token}
                onChange={(event) => setToken(event.currentTarget.value)}
              />
              <Button type="submit" disabled={token.trim() === ''} loading={login.isPending}>
                Log in
              </Button>
            </Stack>
          </form>
        </Stack>
      </Paper>
    </Box>
  );
}

/** LoginProblem shows why a login failed. A login that may succeed later can be repeated. */
function LoginProblem({ error, sent, again }: { error: Error; sent: Credential; again: (credential: Credential) => void }) {
  if (!hasCode(error, 'unauthorized')) return <ProblemAlert error={error} title="The login failed" retry={() => again(sent)} />;
  return <ProblemAlert error={error} title={sent.code ? 'This address has been used or has expired' : 'The token was not accepted'} />;
}

function useLogin() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { hash, state } = useLocation();
  const next = inside(useSearchParams()[0].get('next'));
  const login = useMutation({
    mutationFn: enterSession,
    onSuccess: () => {
      client.removeQueries(); // answers for an earlier session are not for this one
      void navigate(next, { replace: true });
    },
  });
  const code = useRef(codeOf(hash)).current;
  const sent = useRef(false);
  const { mutate } = login;
  useEffect(() => {
    if (!code || sent.current) return;
    sent.current = true; // a code works once, and is removed from the browser's history
    history.replaceState(history.state, '', '/login');
    mutate({ code } satisfies Credential);
  }, [code, mutate]);
  return { login, ended: endedOf(state) };
}

/**
 * Returns why the session ended, as a sentence, if RequireSession has recorded a reason. A browser drops an expired
 * cookie without a report.
 */
function endedOf(state: unknown): string | undefined {
  const { ended } = (state ?? {}) as { ended?: string };
  if (!ended) return undefined;
  return ended.includes('carries no token') ? 'It has expired, or you have logged out in another tab.' : sentence(ended);
}

function codeOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code');
}

/** Returns the address to continue with, if it is one of the console's. */
export function inside(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}

import { Box, Button, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { enterSession, sessionQuery, type Credential } from '../../api/session';
import { ProblemAlert } from '../../ui/ProblemAlert';

/** LoginPage exchanges the code of a one-time address, or a token, for a session. */
export function LoginPage() {
  const { login, code } = useLogin();
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
          {login.isPending && <Text role="status">Logging in…</Text>}
          {login.error && (
            <ProblemAlert
              error={login.error}
              title={code ? 'This address has been used or has expired' : 'The token was not accepted'}
            />
          )}
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

function useLogin() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const next = inside(useSearchParams()[0].get('next'));
  const login = useMutation({
    mutationFn: enterSession,
    onSuccess: async () => {
      await client.resetQueries({ queryKey: sessionQuery.queryKey });
      await navigate(next, { replace: true });
    },
  });
  const code = useRef(codeOf(hash)).current;
  const sent = useRef(false);
  const { mutate } = login;
  useEffect(() => {
    if (!code || sent.current) return;
    sent.current = true; // a code works once
    history.replaceState(history.state, '', '/login');
    mutate({ code } satisfies Credential);
  }, [code, mutate]);
  return { login, code };
}

function codeOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('code');
}

/** The address to go on with, if it is one of ours. */
export function inside(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}

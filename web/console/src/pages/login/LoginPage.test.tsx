import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { RequireSession } from '../../app/RequireSession';
import { answer, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { inside, LoginPage } from './LoginPage';

test('the code of a one-time address becomes a session and leaves the address', async () => {
  const asked = answer({ 'POST /v1/session': {} });
  const { router } = renderPage(<LoginPage />, { at: '/login?next=%2Fjobs%3Fstates%3Drunning#code=abc', pattern: '/login' });
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/jobs?states=running'));
  expect(asked).toHaveLength(1);
  expect(asked[0]!.body).toEqual({ code: 'abc' });
  expect(asked[0]!.headers.get('aliquot-console')).toBe('1');
});

test('a used code is said in words, and a token does instead', async () => {
  const asked = answer({
    'POST /v1/session': (it: { body: unknown }) => ('code' in (it.body as object) ? new Refusal(problem(401, 'unauthorized', 'the code is not known')) : {}),
  });
  const { router } = renderPage(<LoginPage />, { at: '/login#code=old', pattern: '/login' });
  expect(await screen.findByText('This address has been used or has expired')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Token'), ' alq_x ');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(asked.at(-1)!.body).toEqual({ token: 'alq_x' });
});

test('a token that is wrong after a used address is not told as the address', async () => {
  answer({ 'POST /v1/session': new Refusal(problem(401, 'unauthorized', 'it is not known')) });
  renderPage(<LoginPage />, { at: '/login#code=old', pattern: '/login' });
  await screen.findByText('This address has been used or has expired');
  await userEvent.type(screen.getByLabelText('Token'), 'alq_wrong');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByText('The token was not accepted')).toBeVisible();
});

test('a code that met no leader is kept and can be tried again', async () => {
  let leads = false;
  const asked = answer({ 'POST /v1/session': () => (leads ? {} : new Refusal(problem(503, 'no_leader', 'no manager leads at present'))) });
  const { router } = renderPage(<LoginPage />, { at: '/login?next=%2Fjobs#code=abc', pattern: '/login' });
  expect(await screen.findByText('The login failed')).toBeVisible();
  expect(screen.queryByText(/has been used/)).toBeNull();
  leads = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/jobs'));
  expect(asked.map((it) => it.body)).toEqual([{ code: 'abc' }, { code: 'abc' }]);
});

test('a session that ends is said, and the login leads back', async () => {
  let revoked = false;
  answer({
    'GET /v1/session': () => (revoked ? new Refusal(problem(401, 'unauthorized', 'the token "ci" has been revoked')) : admin),
    'POST /v1/session': () => {
      revoked = false;
      return admin;
    },
  });
  const page = <RequireSession>inside</RequireSession>;
  const { client, router } = renderPage(page, { at: '/jobs?states=running', pattern: '/jobs', routes: [{ path: '/login', element: <LoginPage /> }] });
  expect(await screen.findByText('inside')).toBeVisible();
  revoked = true;
  void client.invalidateQueries();
  expect(await screen.findByText('Your session has ended')).toBeVisible();
  expect(screen.getByText('The token "ci" has been revoked. Log in again to go on where you were.')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Token'), 'alq_x');
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByText('inside')).toBeVisible();
  expect(router.state.location.search).toBe('?states=running');
});

test('who was not there before has lost no session', async () => {
  answer({ 'GET /v1/session': new Refusal(problem(401, 'unauthorized', 'the request carries no token')) });
  renderPage(<RequireSession>inside</RequireSession>, { at: '/jobs', routes: [{ path: '/login', element: <LoginPage /> }] });
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible();
  expect(screen.queryByText('Your session has ended')).toBeNull();
});

test('only an address of ours is gone on with', () => {
  expect(['/jobs', '//evil.example', '/\\evil', 'https://evil.example', null].map(inside)).toEqual(['/jobs', '/', '/', '/', '/']);
});

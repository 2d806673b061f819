import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, Refusal } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
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

test('only an address of ours is gone on with', () => {
  expect(['/jobs', '//evil.example', '/\\evil', 'https://evil.example', null].map(inside)).toEqual(['/jobs', '/', '/', '/', '/']);
});

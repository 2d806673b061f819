import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { tokenColumns } from './columns';
import { TokensPage } from './TokensPage';

const token = { id: 't1', name: 'old', owner: 'alice', project: 'render', role: 'user', revoked: false, created: '2026-01-01T12:00:00Z', expires: '2026-01-02T12:00:00Z' };

test('an expired token is called so, and revoking asks first', async () => {
  const asked = answer({ 'GET /v1/tokens': { tokens: [token] }, 'DELETE /v1/tokens/t1': { revision: 9 } });
  renderPage(<TokensPage />, { at: '/tokens' });
  expect(await screen.findByText('expired')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Revoke old, t1' }));
  expect(await screen.findByText(/its open streams and sessions end/)).toBeVisible();
  expect(screen.queryByText(/Your own session/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Revoke it' }));
  expect(await screen.findByText('The token old is revoked')).toBeVisible();
  expect(asked.some((it) => it.method === 'DELETE')).toBe(true);
});

test('two tokens of one name are told apart', async () => {
  answer({ 'GET /v1/tokens': { tokens: [token, { ...token, id: 't2' }] } });
  renderPage(<TokensPage />, { at: '/tokens' });
  expect(await screen.findByRole('button', { name: 'Revoke old, t2' })).toBeVisible();
  expect(screen.getByText('t1')).toBeVisible();
  expect(screen.getByText('t2')).toBeVisible();
});

afterEach(() => void vi.useRealTimers());

test('a token that expires while it is looked at is called so', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse(token.expires) - 60_000 });
  answer({ 'GET /v1/tokens': { tokens: [token] } });
  renderPage(<TokensPage />, { at: '/tokens' });
  expect(await screen.findByText('valid')).toBeVisible();
  act(() => void vi.advanceTimersByTime(66_000));
  expect(screen.getByText('expired')).toBeVisible();
});

test('whoever revokes the token of their own session is told so, and why the last of an admin stays', async () => {
  const own = { ...token, id: admin.token, name: 'mine', role: 'admin', expires: undefined };
  const refusal = problem(409, 'last_admin', 'this is the last valid token of an admin');
  answer({ 'GET /v1/tokens': { tokens: [own] }, 'DELETE /v1/tokens/t-admin': new Refusal(refusal) });
  renderPage(<TokensPage />, { at: '/tokens' });
  await userEvent.click(await screen.findByRole('button', { name: `Revoke mine, ${admin.token}` }));
  expect(await screen.findByText(/Your own session is based on this token: you will be logged out/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Revoke it' }));
  expect(await screen.findByText(/This is the last valid token of an admin/)).toBeVisible();
});

test('a new token shows its secret this once', async () => {
  const asked = answer({ 'GET /v1/tokens': { tokens: [token] }, 'POST /v1/tokens': { ...token, id: 't2', name: 'new', secret: 'alq_s3cret' } });
  renderPage(<TokensPage />, { at: '/tokens' });
  await userEvent.click(screen.getByRole('button', { name: 'Create a token' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText(/^Name/), 'new');
  await userEvent.click(dialog.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('alq_s3cret')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('alq_s3cret')).toBeVisible();
  expect(asked.find((it) => it.method === 'POST')!.body).toEqual({ name: 'new', role: 'user' });
  await userEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(screen.queryByText('alq_s3cret')).toBeNull();
});

test('the table fits a window of 1280 pixels', () => {
  expect(tokenColumns.reduce((sum, { width = 0 }) => sum + width, 0)).toBeLessThanOrEqual(1280 - 200 - 32);
});

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { UsedSession } from '../api/sessions';
import { answer } from '../test/answers';
import { narrowed, renderPage } from '../test/render';
import { SessionsPanel } from './SessionsPanel';

const own: UsedSession = {
  id: 's1', token: 't-alice', tokenName: 'alice', role: 'user', from: '10.0.0.7', since: '2026-01-01T12:00:00Z', used: '2026-01-01T12:05:00Z', expires: '2026-01-02T00:00:00Z', own: true,
};
const other: UsedSession = { ...own, id: 's2', from: '10.0.0.8', own: false };

test('sessions are listed with their addresses; another one is ended after a question', async () => {
  const asked = answer({ 'GET /v1/sessions': { sessions: [own, other] }, 'DELETE /v1/sessions/s2': { revision: 9 } });
  renderPage(<SessionsPanel title="Sessions" />);
  expect(await screen.findByText('this one')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'End the session of alice from 10.0.0.8' }));
  expect(await screen.findByText(/logged out at once, at all managers/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'End it' }));
  expect(await screen.findByText('The session of alice is ended')).toBeVisible();
  await waitFor(() => expect(asked.filter((it) => it.method === 'GET').length).toBe(2));
});

test('all sessions of a token are ended at once', async () => {
  const asked = answer({ 'GET /v1/sessions': { sessions: [own] }, 'DELETE /v1/tokens/t-alice/sessions': { revision: 9 } });
  renderPage(<SessionsPanel title="Sessions" token="t-alice" />);
  await userEvent.click(await screen.findByRole('button', { name: 'End all' }));
  expect(await screen.findByText(/You are logged out, too, if your session is based on it/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'End them all' }));
  expect(await screen.findByText('All sessions of the token are ended')).toBeVisible();
  expect(asked.find((it) => it.method === 'GET')!.query.get('token')).toBe('t-alice');
});

test('no session, and managers that do not answer, are said', async () => {
  answer({ 'GET /v1/sessions': { sessions: [], silent: [{ replica: 2, problem: 'it does not answer' }] } });
  renderPage(<SessionsPanel title="Sessions" />);
  expect(await screen.findByText('No session is in use.')).toBeVisible();
  expect(screen.getByText('Manager 2: it does not answer.')).toBeVisible();
});

test('on a phone a session is a sentence with its button', async () => {
  narrowed();
  answer({ 'GET /v1/sessions': { sessions: [other] } });
  renderPage(<SessionsPanel title="Sessions" />);
  expect(await screen.findByText('alice (user) from 10.0.0.8')).toBeVisible();
  expect(screen.getByRole('button', { name: 'End the session of alice from 10.0.0.8' })).toBeVisible();
});

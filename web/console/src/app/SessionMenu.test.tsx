import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, Refusal } from '../test/answers';
import { problem, renderPage } from '../test/render';
import { SessionMenu } from './SessionMenu';

beforeEach(() => {
  sessionStorage.clear();
  sessionStorage.setItem('aliquot-job-draft', JSON.stringify({ files: { 'work.sh': 'secret' } }));
  sessionStorage.setItem('aliquot-job-yaml', JSON.stringify('env: {PASSWORD: secret}'));
});

async function logOut() {
  const page = renderPage(<SessionMenu />, { at: '/jobs' });
  await userEvent.click(screen.getByRole('button', { name: 'Session of admin' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }));
  return page;
}

test('who logs out leaves no draft to the next user of the tab', async () => {
  answer({ 'DELETE /v1/session': {} });
  const { router } = await logOut();
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
});

test('who could not log out keeps the drafts', async () => {
  answer({ 'DELETE /v1/session': new Refusal(problem(503, 'unavailable', 'no leader')) });
  await logOut();
  expect(await screen.findByText('You are still logged in')).toBeVisible();
  expect(sessionStorage.getItem('aliquot-job-draft')).toContain('secret');
});

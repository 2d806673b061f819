import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Manager } from '../../api/managers';
import { answer, golden, Refusal } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
import { AboutPage } from './AboutPage';
import { quorum } from './ManagersPanel';

const leader: Manager = { replica: 1, address: 'http://10.0.0.1:7420', answers: false, leads: true, status: 'ok', revision: 1204, behind: 0, version: '1.2', format: 3, latestFormat: 3 };
const follower: Manager = { ...leader, format: 2, replica: 2, address: 'http://10.0.0.2:7420', answers: true, leads: false, revision: 1201, behind: 3 };
const silent: Manager = { replica: 3, address: 'http://10.0.0.3:7420', answers: false, leads: false, status: 'unreachable', problem: 'it has not answered within 2 s' };
const rest = {
  'GET /v1/version': { version: '1.2', api: 'v1', go: 'go1.26' },
  'GET /v1/health': { status: 'ok', replica: 2, leads: false, revision: 1201, version: '1.2' },
  'GET /v1/overview': golden('overview.json'),
  'GET /v1/sessions': { sessions: [] },
};

test('all managers are listed: who leads, how far each is, and what is wrong', async () => {
  answer({ ...rest, 'GET /v1/managers': { managers: [leader, follower, silent] } });
  renderPage(<AboutPage />, { at: '/about' });
  const table = within(await screen.findByRole('table', { name: 'Managers' }));
  const rows = table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent));
  expect(rows).toEqual([
    ['1', 'ok', 'leader', '1204', '0', '3', 'http://10.0.0.1:7420', '1.2', '–'],
    ['2 (this one)', 'ok', 'follower', '1201', '3', '2 of 3', 'http://10.0.0.2:7420', '1.2', '–'],
    ['3', 'unreachable', '–', '–', '–', '–', 'http://10.0.0.3:7420', '–', 'It has not answered within 2 s.'],
  ]);
  expect(screen.getByText('2 of 3 managers are well; if one more fails, nothing can be changed.')).toBeVisible();
});

test('how many may fail is said', () => {
  const of = (...states: Manager['status'][]) => quorum(states.map((status, i) => ({ ...leader, replica: i + 1, status })));
  expect(of('ok')).toContain('There is one manager');
  expect(of('ok', 'ok', 'ok')).toBe('3 of 3 managers are well; if more than 1 of them fail, nothing can be changed.');
  expect(of('ok', 'unreachable', 'unavailable')).toBe('1 of 3 managers are well; without 2 of them nothing can be changed.');
});

test('versions, and whose session this is, are said', async () => {
  answer({ ...rest, 'GET /v1/managers': { managers: [leader] } });
  renderPage(<AboutPage />, { at: '/about' });
  expect(await screen.findByText('go1.26')).toBeVisible();
  expect(screen.getByText('admin, default')).toBeVisible();
});

test('a manager that cannot serve says so', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const down = new Refusal(problem(503, 'no_leader', 'no manager leads at present'));
  answer({ ...rest, 'GET /v1/health': down, 'GET /v1/overview': down, 'GET /v1/managers': { managers: [{ ...leader, status: 'unavailable', leads: false }] } });
  renderPage(<AboutPage />, { at: '/about' });
  expect(await screen.findByText('This manager cannot serve requests')).toBeVisible();
  expect(await screen.findByText('unavailable')).toBeVisible();
});

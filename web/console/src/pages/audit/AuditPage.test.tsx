import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../api/audit';
import { answer, Refusal, type Asked } from '../../test/answers';
import { admin, narrowed, problem, renderPage, roomForTables } from '../../test/render';
import { AuditPage } from './AuditPage';
import { columns } from './columns';

const cancelled: AuditEntry = {
  id: '1.9', at: '2026-01-01T12:02:00Z', count: 1, actor: 'alice', token: 't-alice', role: 'user', from: '10.0.0.7', operation: 'cancel-job', object: 'j1', outcome: 'accepted', status: 200,
};
const guessed: AuditEntry = { id: '2.4', at: '2026-01-01T12:01:00Z', count: 1234, from: '10.0.0.9', operation: 'create-session', outcome: 'refused', status: 401, code: 'unauthorized' };

const texts = () => screen.getAllByRole('row').slice(1).map((row) => row.textContent);

test('who did or tried what, from where and with what outcome is listed', async () => {
  answer({ 'GET /v1/audit': { entries: [cancelled, guessed] } });
  renderPage(<AuditPage />, { at: '/audit' });
  expect(await screen.findByRole('cell', { name: 'alice' })).toBeVisible();
  expect(texts()).toEqual([expect.stringMatching(/alice10\.0\.0\.7cancel-jobj1accepted1$/), expect.stringMatching(/–10\.0\.0\.9create-session–refused: unauthorized1,234$/)]);
});

test('the filter is asked for as the API takes it', async () => {
  const asked = answer({ 'GET /v1/audit': { entries: [cancelled] } });
  renderPage(<AuditPage />, { at: '/audit?who=alice&operation=*-token, cancel-job&outcome=refused&hours=24' });
  expect(await screen.findByText('1 entry loaded')).toBeVisible();
  const { query } = asked[0]!;
  expect([query.get('who'), query.get('operation'), query.get('outcome')]).toEqual(['alice', '*-token,cancel-job', 'refused']);
  expect(Math.abs(Date.now() - 24 * 3_600_000 - Date.parse(query.get('from')!))).toBeLessThan(3 * 60_000);
});

test('older entries are asked for at the end, and new ones by the button', async () => {
  const asked = answer({ 'GET /v1/audit': (it: Asked) => (it.query.get('cursor') ? { entries: [guessed] } : { entries: [cancelled], next: '1.9-2.5' }) });
  renderPage(<AuditPage />, { at: '/audit' });
  expect(await screen.findByText('2 entries loaded')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(asked.filter((it) => !it.query.get('cursor')).length).toBe(2));
});

test('it says which managers gave no entries', async () => {
  answer({ 'GET /v1/audit': { entries: [cancelled], silent: [{ replica: 3, problem: 'it has not answered within 3 s' }] } });
  renderPage(<AuditPage />, { at: '/audit' });
  expect(await screen.findByText('Manager 3: it has not answered within 3 s.')).toBeVisible();
});

test('whoever is not an admin is told so and asks for nothing', async () => {
  const asked = answer({});
  renderPage(<AuditPage />, { at: '/audit', session: { ...admin, role: 'operator' } });
  expect(await screen.findByText('The audit log needs the role admin')).toBeVisible();
  expect(asked).toEqual([]);
});

test('a wrong pattern is explained in the words of the API', async () => {
  answer({ 'GET /v1/audit': new Refusal(problem(422, 'invalid', 'is not a valid pattern: close its brackets', { field: 'operation' })) });
  renderPage(<AuditPage />, { at: '/audit?operation=[' });
  expect(await screen.findByText('operation: is not a valid pattern: close its brackets.')).toBeVisible();
});

test('on a phone an entry is a sentence', async () => {
  narrowed();
  answer({ 'GET /v1/audit': { entries: [guessed] } });
  renderPage(<AuditPage />, { at: '/audit' });
  expect(await screen.findByText('unknown from 10.0.0.9: create-session, refused: unauthorized (1,234 times)')).toBeVisible();
});

test('the table fits a window of 1280 pixels', () => {
  expect(columns.reduce((sum, { width = 140 }) => sum + width, 0)).toBeLessThanOrEqual(roomForTables);
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer } from '../../test/answers';
import { renderPage } from '../../test/render';
import { UsagePage } from './UsagePage';

const times = { from: '2026-01-01T12:00:00Z', to: '2026-01-08T12:00:00Z' };
const had = { start: times.from, grantedCoreHours: 1234.567, usedCoreHours: 0.5, waitedJobHours: 2 };

test('usage is shown by owner, or by project when asked', async () => {
  const asked = answer({ 'GET /v1/usage': { ...times, rows: [{ ...had, owner: 'alice' }] } });
  renderPage(<UsagePage />, { at: '/usage' });
  expect(await screen.findByText('alice')).toBeVisible();
  expect(screen.getByText('1,234.57 h')).toBeVisible();
  expect(screen.getByRole('columnheader', { name: /Owner/ })).toBeVisible();
  answer({ 'GET /v1/usage': { ...times, rows: [{ ...had, project: 'render' }] } });
  await userEvent.click(screen.getByRole('radio', { name: 'By project' }));
  expect(await screen.findByText('render')).toBeVisible();
  expect(asked[0]!.query.get('by')).toBe('owner');
});

test('little usage is not shown as none', async () => {
  answer({ 'GET /v1/usage': { ...times, rows: [{ ...had, owner: 'alice', usedCoreHours: 0.0045, waitedJobHours: 0 }] } });
  renderPage(<UsagePage />, { at: '/usage' });
  expect(await screen.findByText('under 0.01 h')).toBeVisible();
  expect(screen.getByText('0 h')).toBeVisible();
});

test('without usage the page says when there is some', async () => {
  answer({ 'GET /v1/usage': { ...times, rows: [] } });
  renderPage(<UsagePage />, { at: '/usage' });
  expect(await screen.findByText(/within a minute/)).toBeVisible();
});

test('run times of each type are shown beside usage', async () => {
  const similar = { succeeded: 31, latest: 3, medianSeconds: 60, mostSeconds: 3600 };
  const row = { project: 'render', owner: 'alice', type: 'busybox: make', tasks: 2, needMillicores: 500, last: times.from, similar };
  answer({ 'GET /v1/usage': { ...times, rows: [] }, 'GET /v1/experience': { experience: [row] } });
  renderPage(<UsagePage />, { at: '/usage' });
  await userEvent.click(await screen.findByRole('radio', { name: 'Run times' }));
  expect(await screen.findByText('busybox: make')).toBeVisible();
  for (const text of ['31', '1 min', '1 h']) expect(screen.getByText(text)).toBeVisible();
});

test('without run times the page says when there are some', async () => {
  answer({ 'GET /v1/experience': { experience: [] } });
  renderPage(<UsagePage />, { at: '/usage?by=run-times' });
  expect(await screen.findByText('Run times are remembered when jobs succeed.')).toBeVisible();
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer } from '../../test/answers';
import { renderPage } from '../../test/render';
import { ReservationsPage } from './ReservationsPage';
import { place, spanOf } from './span';

const reservation = {
  job: 'j7', name: 'render', owner: 'alice', project: 'default', tasks: 3, cpuMillicores: 500, memoryBytes: 64 << 20, state: 'promised' as const,
  due: '2026-01-01T11:59:00Z', from: '2026-01-01T12:00:00Z', until: '2026-01-01T14:00:00Z', nodes: ['n1', 'n1', 'n2'],
};

test('a reservation is shown with its job, its nodes and its state', async () => {
  answer({ 'GET /v1/reservations': { reservations: [reservation] } });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByRole('link', { name: 'j7 render' })).toHaveAttribute('href', '/jobs/j7');
  expect(screen.getByText('n1, n2')).toBeVisible();
  expect(screen.getByText('promised')).toBeVisible();
  expect(screen.getByText('2 h')).toBeVisible();
});

test('without reservations the page says how to make one', async () => {
  answer({ 'GET /v1/reservations': { reservations: [] } });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/with a start and a duration/)).toBeVisible();
});

test('bars begin now and end with the last reservation', () => {
  const span = spanOf([reservation], Date.parse('2026-01-01T10:00:00Z'));
  expect(place(span, '2026-01-01T10:00:00Z')).toBe(0);
  expect(place(span, reservation.from)).toBe(50);
  expect(place(span, reservation.until)).toBe(100);
});

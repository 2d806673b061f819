import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer } from '../../test/answers';
import { admin, renderPage } from '../../test/render';
import { chosen, greatest, horizon, left, levels, nextHour, promisable, reserved } from './calendar';
import { ReservationsPage } from './ReservationsPage';
import { place, spanOf } from './span';

const reservation = {
  job: 'j7', name: 'render', owner: 'alice', project: 'default', tasks: 3, cpuMillicores: 500, memoryBytes: 64 << 20, state: 'promised' as const,
  due: '2026-01-01T11:59:00Z', from: '2026-01-01T12:00:00Z', until: '2026-01-01T14:00:00Z', nodes: ['n1', 'n1', 'n2'], indexes: [0, 1, 2], priceCoreHours: 1.23456,
};

const margin = { part: 0.02, measured: 3, learnt: false };

const capacity = [{ from: '2026-01-01T10:00:00Z', cpuMillicores: 4000 }];

const noStanding = { 'GET /v1/standing': { standing: [] }, 'GET /v1/theta': { theta: 0 } };
const noOffers = { 'GET /v1/offers': { offers: [] }, ...noStanding };

test('an offer is shown while it is held, and declined', async () => {
  const offer = { offer: 'o3', answer: 'o3', name: 'render', owner: 'alice', project: 'default', tasks: 2, cpuMillicores: 500, memoryBytes: 64 << 20, from: reservation.from, until: reservation.until, nodes: ['n1', 'n2'], expires: reservation.due };
  const asked = answer({ 'GET /v1/reservations': { reservations: [], expected: [], capacity, margin }, 'GET /v1/offers': { offers: [offer] }, ...noStanding, 'DELETE /v1/offers/o3': { revision: 9 } });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/o3 render of alice: 2 tasks/)).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Decline o3' }));
  expect(await screen.findByText('o3 is given back')).toBeVisible();
  expect(asked.some((it) => it.method === 'DELETE')).toBe(true);
});

test('a standing reservation is shown with what has no room, and cancelled', async () => {
  const standing = { standing: 's3', name: 'render', owner: 'alice', project: 'default', tasks: 2, cpuMillicores: 500, memoryBytes: 64 << 20, days: ['mon', 'thu'], start: '09:00', duration: '8h', zone: 'Europe/Paris', until: '2027-06-30T21:59:59Z', jobs: ['j7'], missing: [reservation.from] };
  const asked = answer({ 'GET /v1/reservations': { reservations: [], expected: [], capacity, margin }, ...noOffers, 'GET /v1/standing': { standing: [standing] }, 'DELETE /v1/standing/s3': { revision: 9 } });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/s3 render of alice: 2 tasks.*on mon, thu at 09:00 \(Europe\/Paris\) for 8h/)).toHaveTextContent('1 occurrence without room so far');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel s3' }));
  fireEvent.click((await screen.findAllByRole('button', { name: 'Cancel s3' })).at(-1)!);
  expect(await screen.findByText('s3 is cancelled')).toBeVisible();
  expect(asked.some((it) => it.method === 'DELETE')).toBe(true);
});

test.each([
  [margin, /keep 2 % more.*learnt from 20 promises; 3 are measured/],
  [{ part: 0.112, measured: 64, learnt: true }, /keep 11 % more.*learnt from 64 promises/],
])('the margin of deadlines is shown, and whether it is learnt', async (now, text) => {
  answer({ 'GET /v1/reservations': { reservations: [], expected: [], capacity, margin: now }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(text)).toBeVisible();
});

test('theta is shown to all, and set and set back by operators', async () => {
  const theta = { 'GET /v1/theta': { theta: 0.2, limitCoreHours: 3.2 }, 'PUT /v1/theta': { revision: 9 } };
  const asked = answer({ 'GET /v1/reservations': { reservations: [], capacity }, ...noOffers, ...theta });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/Theta is 0.2: a promise may cost up to 3.20? core-hours/)).toBeVisible();
  fireEvent.change(screen.getByLabelText('Theta'), { target: { value: '101' } });
  expect(screen.getByRole('button', { name: 'Set theta' })).toBeDisabled();
  fireEvent.change(screen.getByLabelText('Theta'), { target: { value: '' } });
  expect(screen.getByRole('button', { name: 'Set theta' })).toBeDisabled();
  fireEvent.change(screen.getByLabelText('Theta'), { target: { value: '0.5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Set theta' }));
  expect(await screen.findByText('Theta is 0.5')).toBeVisible();
  expect(asked.find((it) => it.method === 'PUT')?.body).toEqual({ theta: 0.5 });
  fireEvent.click(screen.getByRole('button', { name: 'Set it back' }));
  expect(await screen.findByText('Theta is 0.2 again')).toBeVisible();
  expect(asked.filter((it) => it.method === 'PUT').at(-1)?.body).toEqual({ theta: 0.2 });
});

test('theta is only shown to users', async () => {
  answer({ 'GET /v1/reservations': { reservations: [], capacity }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations', session: { ...admin, role: 'user' } });
  expect(await screen.findByText(/Theta is 0: promises may cost anything/)).toBeVisible();
  expect(screen.queryByLabelText('Theta')).toBeNull();
});

test('a reservation is shown with its job, its nodes and its state', async () => {
  answer({ 'GET /v1/reservations': { reservations: [reservation], expected: [], capacity, margin }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByRole('link', { name: 'j7 render' })).toHaveAttribute('href', '/jobs/j7');
  expect(screen.getByText('n1, n2')).toBeVisible();
  expect(screen.getByText('promised')).toBeVisible();
  expect(screen.getByText('2 h')).toBeVisible();
  expect(screen.getByText('1.23')).toBeVisible();
});

test('what the policy booked for waiting jobs is shown', async () => {
  const expected = [{ job: 'j9', name: 'queued', owner: 'bob', project: 'default', tasks: 2, cpuMillicores: 1000, start: reservation.from, until: reservation.until }];
  answer({ 'GET /v1/reservations': { reservations: [], expected, expectedTotal: 1001, capacity, margin }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByRole('link', { name: 'j9 queued' })).toHaveAttribute('href', '/jobs/j9');
  expect(screen.getByText(/pale: booked by the policy for waiting jobs/)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Booked by the policy, the first 1 of 1,001' })).toBeVisible();
});

test('without reservations the page says how to make one', async () => {
  answer({ 'GET /v1/reservations': { reservations: [], expected: [], capacity, margin }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/with a start and a duration/)).toBeVisible();
});

test('bars begin now and end with the last reservation', () => {
  const span = spanOf([reservation], Date.parse('2026-01-01T10:00:00Z'));
  expect(place(span, '2026-01-01T10:00:00Z')).toBe(0);
  expect(place(span, reservation.from)).toBe(50);
  expect(place(span, reservation.until)).toBe(100);
});

const at = (clock: string) => Date.parse(`2026-01-01T${clock}:00Z`);

test('what is promised adds up from the time at which room is made, without broken promises', () => {
  const later = { ...reservation, job: 'j8', tasks: 1, due: '2026-01-01T12:59:00Z', from: '2026-01-01T13:00:00Z', until: '2026-01-01T15:00:00Z' };
  const all = levels([reservation, later, { ...later, state: 'broken' }], at('10:00'));
  expect(all.map(({ at, millicores }) => [new Date(at).toISOString().slice(11, 16), millicores])).toEqual([
    ['10:00', 0], ['11:59', 1500], ['12:59', 2000], ['14:00', 500], ['15:00', 0],
  ]);
  expect(greatest(all, { from: at('10:00'), until: at('11:59') })).toBe(0);
  expect(greatest(all, { from: at('13:30'), until: at('20:00') })).toBe(2000);
  expect(greatest(all, { from: at('14:00'), until: at('20:00') })).toBe(500);
});

test('the CPU that is left is counted at each moment, also while nodes are in maintenance', () => {
  const all = levels([reservation], at('10:00'));
  const open = promisable([{ from: '2026-01-01T10:00:00Z', cpuMillicores: 0 }, { from: '2026-01-01T11:00:00Z', cpuMillicores: 2000 }, { from: '2026-01-01T14:00:00Z', cpuMillicores: 1000 }], at('10:00'));
  expect(left(open, all, { from: at('10:30'), until: at('11:30') })).toBe(0);
  expect(left(open, all, { from: at('11:00'), until: at('11:30') })).toBe(2000);
  expect(left(open, all, { from: at('11:00'), until: at('13:00') })).toBe(500);
  expect(left(open, all, { from: at('13:00'), until: at('20:00') })).toBe(500);
  expect(left(open, all, { from: at('14:00'), until: at('20:00') })).toBe(1000);
});

test('promises are drawn beside the CPU that nodes have after their maintenance', async () => {
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const later = { ...reservation, due: soon(2), from: soon(2), until: soon(3) };
  answer({ 'GET /v1/reservations': { reservations: [later], expected: [], capacity: [{ from: soon(0), cpuMillicores: 0 }, { from: soon(1), cpuMillicores: 3000 }], margin }, ...noOffers });
  renderPage(<ReservationsPage />, { at: '/reservations' });
  const chart = await screen.findByRole('img', { name: /: at most 1.5 of 3 cores/ });
  expect([...chart.querySelectorAll('rect')].map((it) => Number(it.getAttribute('height')))).toEqual([0, 100, 0, 50, 0, 0, 50, 0]);
});

test('each part of a promise counts for its own time, and makes room as early as the first', () => {
  const parts = [{ from: reservation.from, until: reservation.until }, { from: '2026-01-01T20:00:00Z', until: '2026-01-02T21:00:00Z' }];
  const all = levels([{ ...reservation, parts }], at('10:00'));
  expect(all.map(({ at, millicores }) => [new Date(at).toISOString().slice(11, 16), millicores])).toEqual([
    ['10:00', 0], ['11:59', 1500], ['14:00', 0], ['19:59', 1500], ['21:00', 0],
  ]);
  expect(horizon([{ ...reservation, parts }], at('10:00')).until).toBe(Date.parse('2026-01-02T21:00:00Z'));
});

test('an interval is chosen in whole five minutes, in either direction, and never in the past', () => {
  const span = horizon([], at('10:01'));
  expect(horizon([{ ...reservation, state: 'broken', until: '2026-02-01T00:00:00Z' }], at('10:01'))).toEqual(span);
  expect(span.until - span.from).toBe(24 * 3_600_000);
  const there = chosen(span, 0.5, 0.25);
  expect(reserved(there)).toEqual({ reserveStart: '2026-01-01T16:05:00Z', reserveDuration: '355m' });
  expect(chosen(span, -1, -2)).toEqual({ from: at('10:05'), until: at('10:10') });
});

test.each([
  ['14:35', '15:00', '16:00'],
  ['14:56', '16:00', '17:00'],
  ['14:55', '15:00', '16:00'],
  ['15:00', '16:00', '17:00'],
])('at %s the next hour is that from %s to %s', (now, from, until) => {
  expect(nextHour(at(now))).toEqual({ from: at(from), until: at(until) });
});

test('the next whole hour is asked for in the form', async () => {
  answer({ 'GET /v1/reservations': { reservations: [], expected: [], capacity, margin }, ...noOffers });
  const { router } = renderPage(<ReservationsPage />, { at: '/reservations' });
  expect(await screen.findByText(/take the next whole hour: that from/)).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Reserve the next hour' }));
  expect(router.state.location.pathname).toBe('/jobs/submit');
  expect(sessionStorage.getItem('aliquot-job-draft')).toMatch(/"reserveStart":"20\d\d-.*:00:00Z","reserveDuration":"60m"/);
});

test('an interval that is dragged over is asked for in the form', async () => {
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  answer({ 'GET /v1/reservations': { reservations: [{ ...reservation, due: soon(1), from: soon(1), until: soon(2) }], expected: [], capacity, margin }, ...noOffers });
  const { router } = renderPage(<ReservationsPage />, { at: '/reservations' });
  const chart = (await screen.findByRole('img', { name: /^Promised CPU from now.* of 4 cores/ })).parentElement!;
  fireEvent.pointerDown(chart, { clientX: 0 });
  fireEvent.pointerMove(chart, { clientX: 1 });
  fireEvent.pointerUp(chart, { clientX: 1 });
  fireEvent.click(screen.getByRole('button', { name: 'Could I have this?' }));
  expect(router.state.location.pathname).toBe('/jobs/submit');
  expect(sessionStorage.getItem('aliquot-job-draft')).toMatch(/"reserveStart":"20\d\d-.*Z","reserveDuration":"\d+m"/);
});

import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Event } from '../../api/client';
import { answer, type Asked } from '../../test/answers';
import { narrowed, renderPage } from '../../test/render';
import { EventsPage } from './EventsPage';
import { concerns } from './follow';

let happens: (event: Event) => void;
vi.mock('../../live/LiveProvider', () => ({ useEvents: (listener: typeof happens) => void (happens = listener) }));

const nodes = { 'GET /v1/nodes': { nodes: [{ name: 'n1' }, { name: 'n2' }] } };

const failed = { id: '9.0', revision: 9, at: '2026-01-01T12:02:00Z', kind: 'move_failed', job: 'j1', task: 0, node: 'n2', text: '<b>no route</b>' };

test('events are sentences with their time and zone, hostile text included', async () => {
  const asked = answer({ 'GET /v1/history': { events: [failed] }, ...nodes });
  renderPage(<EventsPage />, { at: '/events?job=j1&kinds=move_failed' });
  expect(await screen.findByText('a move of task 0 of j1 failed on n2: <b>no route</b>')).toBeVisible();
  expect(screen.getByText(/^2026-01-01 \d\d:\d\d:\d\d \S+$/)).toBeVisible();
  const { query } = asked.find((it) => it.path === '/v1/history')!;
  expect(query.get('job')).toBe('j1');
  expect(query.get('kind')).toBe('move_failed');
});

test('a page of the API without events does not end the list', async () => {
  const pages = [{ events: [], next: '5.0' }, { events: [failed] }];
  const asked = answer({ 'GET /v1/history': () => pages.shift(), ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByText('1 event loaded')).toBeVisible();
  expect(asked.filter((it) => it.path === '/v1/history').map((it) => it.query.get('cursor'))).toEqual([null, '5.0']);
});

test('the revision of an event is written as the identifier that it is', async () => {
  answer({ 'GET /v1/history': { events: [{ ...failed, id: '1204.0', revision: 1204 }] }, ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByRole('cell', { name: '1204' })).toBeVisible();
});

test('on a phone events are whole sentences that lead to what they name; those out of sight are not drawn', async () => {
  narrowed();
  const events = Array.from({ length: 2000 }, (_, i) => ({ ...failed, id: `${9000 - i}.0`, job: `j${9000 - i}` }));
  answer({ 'GET /v1/history': { events }, ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByText('2,000 events loaded')).toBeVisible();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Time', 'What happened']);
  const link = screen.getByRole('link', { name: 'j9000' });
  expect(link).toHaveAttribute('href', '/jobs/j9000');
  expect(link.closest('td')).toHaveTextContent('a move of task 0 of j9000 failed on n2: <b>no route</b>');
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
  expect(screen.queryByRole('listitem')).toBeNull();
});

test('on a phone older events are asked for when the last comes into sight', async () => {
  narrowed();
  const older = { ...failed, id: '7.0', revision: 7, job: 'j7' };
  answer({ 'GET /v1/history': (it: Asked) => (it.query.get('cursor') ? { events: [older] } : { events: [failed], next: 'c' }), ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByRole('link', { name: 'j7' })).toBeVisible();
});

test('an event concerns a filter if job, node and kind do; a node also if a task came from it', () => {
  const moved = { ...failed, kind: 'task_migrated', from: 'n1' };
  expect(concerns(moved, { kinds: [] })).toBe(true);
  expect(concerns(moved, { node: 'n1', kinds: [] })).toBe(true);
  expect(concerns(moved, { node: 'n3', kinds: [] })).toBe(false);
  expect(concerns(moved, { job: 'j2', kinds: [] })).toBe(false);
  expect(concerns(moved, { kinds: ['move_failed'] })).toBe(false);
});

test('what happens is put in front of all that was loaded, which is not read anew', async () => {
  const page = (it: Asked) => (it.query.get('cursor') ? { events: [{ ...failed, id: '7.0', revision: 7, job: 'j7' }] } : { events: [failed], next: 'c' });
  const asked = answer({ 'GET /v1/history': page, ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByText(/a move of task 0 of j7 failed/)).toBeVisible();
  const reads = () => asked.filter((it) => it.path === '/v1/history').length;
  expect(reads()).toBe(2);
  act(() => {
    happens(failed); // the stream may repeat events that were read
    happens({ ...failed, id: '10.0', revision: 10, job: 'j8' });
  });
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^j/ }).map((link) => link.textContent)).toEqual(['j8', 'j1', 'j7']));
  expect(reads()).toBe(2);
});

test('older events are asked for until they fill the table, also if they only make a group larger', async () => {
  const page = (first: number) => Array.from({ length: 5 }, (_, i) => ({ id: `${first - i}.0`, revision: first - i, at: '2026-01-01T12:02:00Z', kind: 'job_submitted', job: `j${first - i}`, actor: 'admin' }));
  const pages: Record<string, unknown> = { first: { events: page(900), next: 'a' }, a: { events: page(895), next: 'b' }, b: { events: page(890) } };
  answer({ 'GET /v1/history': (it: Asked) => pages[it.query.get('cursor') ?? 'first'], ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  expect(await screen.findByRole('button', { name: /15 jobs were submitted, by admin/ })).toBeVisible();
});

test('many submissions are one row, which opens', async () => {
  const events = Array.from({ length: 500 }, (_, i) => ({ id: `${900 - i}.0`, revision: 900 - i, at: '2026-01-01T12:02:00Z', kind: 'job_submitted', job: `j${900 - i}`, actor: 'admin' }));
  answer({ 'GET /v1/history': { events: [...events, failed] }, ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  const group = await screen.findByRole('button', { name: /500 jobs were submitted, by admin/ });
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(screen.getByText('501 events loaded')).toBeVisible();
  await userEvent.click(group);
  expect(await screen.findByText('j900 was submitted, by admin')).toBeVisible();
  await userEvent.click(screen.getByRole('switch', { name: 'Group' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /500 jobs/ })).toBeNull());
});

test('half of a name is not asked for, and what is wrong stands at its field', async () => {
  const asked = answer({ 'GET /v1/history': { events: [failed] }, ...nodes });
  renderPage(<EventsPage />, { at: '/events' });
  await userEvent.type(screen.getByLabelText('Job'), 'xy');
  expect(await screen.findByText('like j17')).toBeVisible();
  await userEvent.clear(screen.getByLabelText('Job'));
  await userEvent.type(screen.getByLabelText('Job'), 'j1');
  await waitFor(() => expect(asked.some((it) => it.query.get('job') === 'j1')).toBe(true));
  expect(asked.some((it) => it.query.get('job') === 'xy')).toBe(false);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a node that is not there is said at its field, and not asked for', async () => {
  const asked = answer({ 'GET /v1/history': { events: [failed] }, ...nodes });
  renderPage(<EventsPage />, { at: '/events?node=n9' });
  expect((await screen.findAllByText('no such node'))[0]).toBeVisible();
  expect(asked.map((it) => it.path)).toEqual(['/v1/nodes']);
});

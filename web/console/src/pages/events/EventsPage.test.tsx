import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer } from '../../test/answers';
import { renderPage } from '../../test/render';
import { concerns, EventsPage } from './EventsPage';

const failed = { id: '9.0', revision: 9, at: '2026-01-01T12:02:00Z', kind: 'move_failed', job: 'j1', task: 0, node: 'n2', text: '<b>no route</b>' };

test('events are sentences with their time and zone, hostile text included', async () => {
  const asked = answer({ 'GET /v1/history': { events: [failed] } });
  renderPage(<EventsPage />, { at: '/events?job=j1&kinds=move_failed' });
  expect(await screen.findByText('a move of task 0 of j1 failed on n2: <b>no route</b>')).toBeVisible();
  expect(screen.getByText(/^2026-01-01 \d\d:\d\d:\d\d \S+$/)).toBeVisible();
  expect(asked[0]!.query.get('job')).toBe('j1');
  expect(asked[0]!.query.get('kind')).toBe('move_failed');
});

test('an event concerns a filter if job, node and kind do; a node also if a task came from it', () => {
  const moved = { ...failed, kind: 'task_migrated', from: 'n1' };
  expect(concerns(moved, { kinds: [] })).toBe(true);
  expect(concerns(moved, { node: 'n1', kinds: [] })).toBe(true);
  expect(concerns(moved, { node: 'n3', kinds: [] })).toBe(false);
  expect(concerns(moved, { job: 'j2', kinds: [] })).toBe(false);
  expect(concerns(moved, { kinds: ['move_failed'] })).toBe(false);
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Event } from '../api/client';
import { renderPage } from '../test/render';
import { EventList } from './EventList';
import { parts } from './EventSentence';

test('a sentence is cut where it names something, and not within other names', () => {
  expect(parts('task 0 of j1 moves from n1 to n10, not a.n1', ['n1', 'n10', 'j1'])).toEqual(['task 0 of ', 'j1', ' moves from ', 'n1', ' to ', 'n10', ', not a.n1']);
  expect(parts('n+1 (x) is down', ['n+1 (x'])).toEqual(['', 'n+1 (x', ') is down']);
  expect(parts('from n1 to n1.lab.', ['n1', 'n1.lab'])).toEqual(['from ', 'n1', ' to ', 'n1.lab', '.']);
  expect(parts('n1.lab is down', ['n1'])).toEqual(['n1.lab is down']);
  expect(parts('a(b) is down', ['a', 'a(b)'])).toEqual(['', 'a(b)', ' is down']);
  expect(parts('nothing', [])).toEqual(['nothing']);
});

test('what an event names leads to its page, but for the page that it is shown on', async () => {
  const event: Event = { id: '8.0', kind: 'task_started', revision: 8, at: '2026-01-01T12:00:00Z', job: 'j1', task: 0, node: 'n1', text: 'placed' };
  renderPage(<EventList events={[event]} about="j1" />);
  expect(await screen.findByRole('link', { name: 'n1' })).toHaveAttribute('href', '/nodes/n1');
  expect(screen.queryByRole('link', { name: 'j1' })).toBeNull();
  expect(screen.getByRole('listitem')).toHaveTextContent('task 0 of j1 runs on n1: placed');
});

test('what an event concerns is linked, in parentheses if its sentence does not name it', async () => {
  const at = '2026-01-01T12:00:00Z';
  const events: Event[] = [
    { id: '8.0', kind: 'task_stopped', revision: 8, at, job: 'j1', task: 0, node: 'n1' },
    { id: '8.1', kind: 'task_paused', revision: 8, at, job: 'j1', task: 1, node: 'n2' },
    { id: '8.2', kind: 'task_quarantined', revision: 8, at, job: 'j1', task: 2, node: 'n3' },
    { id: '8.3', kind: 'node_stray', revision: 8, at, job: 'j4', node: 'n4' },
  ];
  renderPage(<EventList events={events} about="j1" />);
  for (const node of ['n1', 'n2', 'n3', 'n4']) expect(await screen.findByRole('link', { name: node })).toHaveAttribute('href', `/nodes/${node}`);
  expect(screen.getByRole('link', { name: 'j4' })).toHaveAttribute('href', '/jobs/j4');
  const said = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(said[0]).toMatch(/task 0 of j1 was stopped on n1$/);
  expect(said[2]).toMatch(/task 2 of j1 is left alone for a while after failed moves \(n3\)$/);
  expect(said[3]).toMatch(/a stray VM of j4 was found on n4$/);
});

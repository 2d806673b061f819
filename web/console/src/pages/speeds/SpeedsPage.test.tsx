import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LearntSpeed } from '../../api/speeds';
import { answer } from '../../test/answers';
import { renderPage } from '../../test/render';
import { SpeedsPage } from './SpeedsPage';

const learnt = (type: string, on: string, runs: number, seconds: number, factor?: number, error?: number): LearntSpeed => ({
  project: 'render', owner: 'alice', type, tasks: 1, needMillicores: 500, class: on, factor, error, last: '2026-01-01T12:00:00Z',
  similar: { succeeded: runs, latest: Math.min(runs, 20), medianSeconds: seconds, mostSeconds: seconds },
});

test('each kind of work has a row with its factor on each class of nodes, and how well it is known', async () => {
  answer({
    'GET /v1/speeds': {
      classes: [{ class: 'fast', nodes: 2 }, { class: 'slow', nodes: 1 }, { class: 'idle', nodes: 1 }],
      speeds: [learnt('count', 'fast', 31, 60, 1), learnt('count', 'slow', 4, 120, 0.5, 0.06), learnt('sort', 'slow', 1, 60)],
    },
  });
  renderPage(<SpeedsPage />, { at: '/speeds' });
  const table = within(await screen.findByRole('table', { name: 'Speeds' }));
  const cells = (type: string) => within(table.getByText(type).closest('tr')!).getAllByRole('cell').map((cell) => cell.textContent).slice(5);
  expect(cells('count')).toEqual(['1 (31 runs, half within 1 min)', '0.50 ± 0.03 (4 runs, half within 2 min)']);
  expect(cells('sort')).toEqual(['–', 'too few to compare (1 run, half within 1 min)']);
});

test('without speeds the page says when there are some', async () => {
  answer({ 'GET /v1/speeds': { classes: [{ class: 'fast', nodes: 2 }], speeds: [] } });
  renderPage(<SpeedsPage />, { at: '/speeds' });
  expect(await screen.findByText('Speeds are learnt when jobs succeed on nodes of one class.')).toBeVisible();
});

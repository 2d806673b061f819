import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { faults } from '../../test/contract';
import { renderPage } from '../../test/render';
import { ExportMenu } from './ExportMenu';

/** Returns the names and addresses of the files that the menu offers. */
async function offered(filter: Parameters<typeof ExportMenu>[0]['filter']) {
  renderPage(<ExportMenu filter={filter} />);
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  return (await screen.findAllByRole('menuitem')).map((item) => [item.textContent, item.getAttribute('download'), item.getAttribute('href')]);
}

test('all events are offered for a spreadsheet and for programs', async () => {
  expect(await offered({ kinds: [] })).toEqual([
    ['For a spreadsheet (CSV)', 'events.csv', '/v1/history/export?format=csv'],
    ['For programs (JSON lines)', 'events.jsonl', '/v1/history/export?format=jsonl'],
  ]);
});

test('what the filter leaves over is exported, as the API takes it', async () => {
  for (const [, , address] of await offered({ job: 'j1', node: 'n1', kinds: ['job_ended', 'move_failed'] })) {
    const { pathname, searchParams: query } = new URL(address!, 'http://console.test');
    expect(faults({ method: 'GET', path: pathname, query, headers: new Headers(), body: undefined })).toEqual([]);
    expect([query.get('job'), query.get('node'), query.get('kind')]).toEqual(['j1', 'n1', 'job_ended,move_failed']);
  }
});

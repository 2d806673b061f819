import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LiveProvider } from '../../live/LiveProvider';
import { answer, Refusal } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
import { RecentChanges } from './RecentChanges';

const now = '2026-01-01T13:00:00Z';
const event = (minute: number, kind = 'job_submitted') => {
  const at = new Date(Date.parse('2026-01-01T12:00:00Z') + minute * 60_000).toISOString();
  return { id: `${100 + minute}.0`, revision: 100 + minute, at, kind, job: `j${100 + minute}` };
};
const told = async () => (await screen.findAllByRole('listitem')).map((item) => item.lastElementChild!.textContent);

test('what people did or must know of the last hour is told, and nothing that is older', async () => {
  const asked = answer({ 'GET /v1/history': { events: [event(59), event(30, 'job_ended'), event(0), event(-1)], next: 'c' } });
  renderPage(<RecentChanges now={now} />);
  expect(await told()).toEqual(['j159 was submitted', 'j130 has ended', 'j100 was submitted']);
  expect(asked).toHaveLength(1);
  expect(asked[0]!.query.get('kind')!.split(',')).toEqual(expect.arrayContaining(['job_submitted', 'node_*', 'move_failed']));
  expect(screen.getByRole('link', { name: 'All events' })).toHaveAttribute('href', '/events');
});

test('many of a kind in a minute are one line', async () => {
  const many = Array.from({ length: 400 }, (_, i) => ({ ...event(59), id: `${900 - i}.0`, revision: 900 - i, job: `j${900 - i}` }));
  answer({ 'GET /v1/history': { events: [...many, event(30, 'job_ended')] } });
  renderPage(<RecentChanges now={now} />);
  expect(await told()).toEqual(['400 jobs were submitted', 'j130 has ended']);
});

test('of many the newest dozen is told', async () => {
  answer({ 'GET /v1/history': { events: Array.from({ length: 30 }, (_, i) => event(59 - i)) } });
  renderPage(<RecentChanges now={now} />);
  const list = await told();
  expect([list.length, list[0], list.at(-1)]).toEqual([12, 'j159 was submitted', 'j148 was submitted']);
});

test('an hour in which nothing happened says so', async () => {
  answer({ 'GET /v1/history': { events: [event(-5)] } });
  renderPage(<RecentChanges now={now} />);
  expect(await screen.findByText('No important changes.')).toBeVisible();
});

test('what happens is told at once', async () => {
  const pages = [[event(10)], [event(11, 'job_ended'), event(10)]];
  let say = (_: string): void => undefined;
  const stream = new ReadableStream({ start: (to) => void (say = (text) => to.enqueue(new TextEncoder().encode(text))) });
  answer({ 'GET /v1/history': () => ({ events: pages.shift() }), 'GET /v1/events': new Response(stream) });
  renderPage(
    <LiveProvider>
      <RecentChanges now={now} />
    </LiveProvider>,
  );
  say('id: 110.0\nevent: hello\ndata: {"replica":1,"revision":110}\n\n');
  expect(await told()).toEqual(['j110 was submitted']);
  say(`id: 111.0\nevent: job_ended\ndata: ${JSON.stringify(event(11, 'job_ended'))}\n\n`);
  expect(await screen.findByText(/has ended/)).toBeVisible();
});

test('that the events cannot be read is said in words', async () => {
  answer({ 'GET /v1/history': new Refusal(problem(503, 'no_leader', 'no manager leads')) });
  renderPage(<RecentChanges now={now} />);
  expect(await screen.findByRole('alert')).toHaveTextContent('No manager leads.');
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LiveProvider } from '../live/LiveProvider';
import { answer, Refusal } from '../test/answers';
import { problem, renderPage } from '../test/render';
import { ConnectionBanner } from './ConnectionBanner';

const banner = (
  <LiveProvider>
    <ConnectionBanner />
  </LiveProvider>
);

test('a manager that does not answer is told of in words, and the page says that it tries again', async () => {
  answer({
    'GET /v1/events': () => {
      throw new TypeError('Failed to fetch');
    },
  });
  renderPage(banner);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The connection to the manager is lost');
  expect(alert).toHaveTextContent('The manager does not answer.');
  expect(alert).toHaveTextContent('this page tries again by itself');
  expect(alert).not.toHaveTextContent(/Failed to fetch|Reload the page/);
});

test('what the manager says is passed on with its help', async () => {
  answer({ 'GET /v1/events': new Refusal(problem(503, 'no_leader', 'no manager leads at present', { help: 'Ask another manager.' })) });
  renderPage(banner);
  expect(await screen.findByRole('alert')).toHaveTextContent(/No manager leads at present.*Ask another manager./);
});

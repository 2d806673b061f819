import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProblemError } from '../api/problem';
import { problem, renderPage } from '../test/render';
import { ProblemAlert } from './ProblemAlert';

test('what is invalid is told with its field, what is refused as a sentence', () => {
  const invalid = problem(422, 'invalid', 'is no amount of CPU: write millicores like 500m or cores like 1.5', { field: 'submit.cpu' });
  const refused = problem(422, 'need_exceeds_every_node', 'a task needs 64000m, the largest allowed node offers 2000m', { field: 'submit.cpu' });
  renderPage([invalid, refused].map((it) => <ProblemAlert key={it.code} error={new ProblemError(it)} />));
  const [first, second] = screen.getAllByRole('alert');
  expect(first).toHaveTextContent('cpu: is no amount of CPU: write millicores like 500m or cores like 1.5.');
  expect(first).toHaveTextContent('The request is not valid');
  expect(second).toHaveTextContent('No node has that much CPU');
  expect(second).toHaveTextContent('A task needs 64000m, the largest allowed node offers 2000m.');
});

test('what fails without a code that is known is told apart from what is refused', () => {
  renderPage([problem(502, 'http_502', 'the answer is 502'), problem(418, 'newer', 'no')].map((it) => <ProblemAlert key={it.code} error={new ProblemError(it)} />));
  const [failed, refused] = screen.getAllByRole('alert');
  expect(failed).toHaveTextContent('The server failed');
  expect(refused).toHaveTextContent('It was refused');
});

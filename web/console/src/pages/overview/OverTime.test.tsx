import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { answer, Refusal } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
import { OverTime } from './OverTime';

// jsdom has no canvas, so nothing is drawn and all text is measured as empty.
beforeEach(() => {
  const context = new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as CanvasRenderingContext2D);
  vi.stubGlobal('Path2D', class { moveTo() {} lineTo() {} rect() {} arc() {} closePath() {} addPath() {} });
});

const series = {
  start: '1970-01-01T00:10:00Z', stepSeconds: 60, rows: 3,
  yieldLeast: [0.5, null, 1], yieldMean: [0.75, null, 1],
  needMillicores: [1000, null, 2000], waitingMillicores: [500, null, 0], capacityMillicores: [3000, null, 3000],
  memoryReservedBytes: [2 ** 29, null, 2 ** 30], memoryCapacityBytes: [2 ** 31, null, 2 ** 31],
  jobsHolding: [4, null, 5], jobsWaiting: [0, null, 489], jobsHeld: [0, null, 1],
  shareMillicores: [800, null, 2000], usedMillicores: [700, null, null],
};
const chart = (name: string) => screen.findByRole('img', { name: new RegExp(`^${name}`) });

test('yields, and demand against capacity, are means of steps with their units', async () => {
  answer({ 'GET /v1/series': series });
  renderPage(<OverTime />);
  expect(await chart('Yields')).toHaveAccessibleName('Yields over time. Least yield: now 1.00, from 0.50 to 1.00; Mean yield: now 1.00, from 0.75 to 1.00');
  expect(await chart('CPU')).toHaveAccessibleName(
    'CPU over time. Needed: now 2 cores, from 1.5 cores to 2 cores; Capacity: now 3 cores, from 3 cores to 3 cores; ' +
      'Granted, with the background: now 2 cores, from 800m to 2 cores; Used: now 700m, from 700m to 700m',
  );
  expect(await chart('Memory')).toHaveAccessibleName('Memory over time. Charged: now 1 GiB, from 512 MiB to 1 GiB; Capacity: now 2 GiB, from 2 GiB to 2 GiB');
  expect(await chart('Jobs')).toHaveAccessibleName('Jobs over time. With a share: now 5, from 4 to 5; Without a share: now 489, from 0 to 489; Held: now 1, from 0 to 1');
  for (const title of ['Yields over time', 'CPU over time', 'Memory over time', 'Jobs over time']) expect(screen.getByText(title)).toBeVisible();
  expect(screen.getByText(/^A value is the mean of 1 min; nothing is drawn where nothing is known/)).toBeVisible();
});

test('the range is asked for, and lives in the address', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-08T00:00:00Z'));
  const asked = answer({ 'GET /v1/series': series });
  const { router } = renderPage(<OverTime />);
  await chart('Yields');
  await userEvent.click(screen.getByRole('radio', { name: '7 d' }));
  await chart('Yields');
  expect(asked.map((it) => it.query.get('from'))).toEqual(['2026-01-07T23:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  expect(router.state.location.search).toBe('?hours=168');
});

test('a manager that has just started says when the first values come', async () => {
  answer({ 'GET /v1/series': { ...series, rows: 0, yieldLeast: [] } });
  renderPage(<OverTime />);
  expect(await screen.findByText('The first values appear about a minute after the manager has started.')).toBeVisible();
});

test('that the values cannot be read is said in words, and can be tried again', async () => {
  const answers = [new Refusal(problem(503, 'no_leader', 'no manager leads')), series];
  answer({ 'GET /v1/series': () => answers.shift() });
  renderPage(<OverTime />);
  expect(await screen.findByRole('alert')).toHaveTextContent('No manager leads.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await chart('Yields')).toBeVisible();
});

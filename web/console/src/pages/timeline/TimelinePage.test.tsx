import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Schemas } from '../../api/client';
import { mostSpans } from '../../api/spans';
import { answer, Refusal } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
import { dateTime } from '../../wording/clock';
import { Legend } from './Legend';
import { promisedSpans } from './promises';
import { TimelinePage } from './TimelinePage';

vi.mock('./Legend', async (original) => {
  const it = await original<typeof import('./Legend')>();
  return { ...it, Legend: vi.fn(it.Legend) };
});

const now = Date.now();
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const span = (job: string, over: Partial<Schemas['Span']>): Schemas['Span'] => ({
  job, task: 0, run: 1, node: 'n1', state: 'running', shareMillicores: 500, needMillicores: 1000, from: ago(30), began: 'task_started', ...over,
});

const spans = [
  span('j1', {}),
  span('j2', { node: undefined, task: undefined, run: undefined, state: 'waiting', shareMillicores: 0, from: ago(20), began: 'job_submitted', text: 'waits for memory' }),
  span('j3', { node: 'n2', state: 'moving', from: ago(10), to: ago(5), began: 'task_migrating' }),
];

const node = (name: string) => ({ name, state: 'ready', cpuMillicores: 2000, memoryBytes: 1 << 30, vms: [] }) as unknown as Schemas['MapNode'];

function answers(list = spans) {
  return answer({
    'GET /v1/timeline': { spans: list, at: new Date(now).toISOString(), since: ago(600) },
    'GET /v1/map': { nodes: [node('n1'), node('n2')] },
    'GET /v1/nodes': { nodes: [node('n1'), node('n2')] },
    'GET /v1/reservations': { reservations: [] },
  });
}

afterEach(() => void vi.useRealTimers());
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null); // jsdom draws nothing
});

/** Returns the part that the address selects. */
function told({ state }: ReturnType<typeof renderPage>['router']) {
  const address = new URLSearchParams(state.location.search);
  const [from, to] = ['from', 'to'].map((name) => Date.parse(address.get(name)!));
  return { from: from!, to: to!, length: to! - from! };
}

test('by job, the times without a node are asked for, too', async () => {
  const asked = answers();
  renderPage(<TimelinePage />, { at: '/timeline?rows=jobs' });
  expect(await screen.findByRole('link', { name: 'j2' })).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/timeline')!.query.get('all')).toBe('true');
});

test('the last hour is asked for, and every node has a row', async () => {
  const asked = answers();
  renderPage(<TimelinePage />, { at: '/timeline' });
  expect(await screen.findByRole('link', { name: 'n1' })).toHaveAttribute('href', '/nodes/n1');
  expect(screen.getByRole('link', { name: 'n2' })).toBeVisible();
  const query = asked.find((it) => it.path === '/v1/timeline')!.query;
  expect(Date.parse(query.get('to')!) - Date.parse(query.get('from')!)).toBe(3_600_000);
});

test('the timeline of a young cluster begins where the cluster does, unless a length is chosen', async () => {
  answer({ 'GET /v1/timeline': { spans, at: new Date(now).toISOString(), since: ago(10) }, 'GET /v1/map': { nodes: [node('n1')] }, 'GET /v1/reservations': { reservations: [] } });
  const { router } = renderPage(<TimelinePage />, { at: '/timeline' });
  await screen.findByRole('link', { name: 'n1' });
  await userEvent.click(screen.getByRole('button', { name: 'Zoom out' }));
  await waitFor(() => expect(told(router).length).toBe(1_200_000));
});

test('a length is marked only where it is what is shown', async () => {
  answer({ 'GET /v1/timeline': { spans, at: new Date(now).toISOString(), since: ago(10) }, 'GET /v1/map': { nodes: [node('n1')] }, 'GET /v1/reservations': { reservations: [] } });
  renderPage(<TimelinePage />, { at: '/timeline' });
  await screen.findByRole('link', { name: 'n1' });
  const hour = screen.getByRole('radio', { name: '1 h' });
  expect(hour).not.toBeChecked(); // ten minutes are shown
  await userEvent.click(screen.getByText('1 h'));
  expect(hour).toBeChecked();
  await userEvent.click(screen.getByRole('button', { name: 'Earlier' }));
  expect(hour).not.toBeChecked();
});

test('what is not shown is said in sentences', async () => {
  const many = Array.from({ length: mostSpans }, (_, i) => span('j1', { from: ago(i + 2), to: ago(i + 1) }));
  answer({ 'GET /v1/timeline': { spans: many, at: new Date(now).toISOString(), since: ago(10), next: 'more' }, 'GET /v1/map': { nodes: [node('n1')] }, 'GET /v1/reservations': { reservations: [] } });
  renderPage(<TimelinePage />, { at: '/timeline?last=3600' });
  expect(await screen.findByText(/: 40,000 spans\. There are more; these are .* ended ones\. Choose .* the others\. What ended before .* is not kept\.$/)).toBeVisible();
});

test('by job, those that wait are seen too', async () => {
  answers();
  renderPage(<TimelinePage />, { at: '/timeline?rows=jobs' });
  expect(await screen.findByRole('link', { name: 'j2' })).toHaveAttribute('href', '/jobs/j2');
});

test('what is shown is in the address: zooming in halves it and stops following the present', async () => {
  const asked = answers();
  const { router } = renderPage(<TimelinePage />, { at: '/timeline?last=7200' });
  await screen.findByRole('link', { name: 'n1' });
  await userEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
  await waitFor(() => expect(told(router).length).toBe(3_600_000));
  const { from } = told(router);
  await waitFor(() => expect(asked.some((it) => Date.parse(it.query.get('from')!) === from)).toBe(true));
  await userEvent.click(screen.getByText('6 h'));
  expect(router.state.location.search).toBe('?last=21600');
});

test('the keyboard zooms and moves', async () => {
  answers();
  const { router } = renderPage(<TimelinePage />, { at: '/timeline' });
  (await screen.findByRole('region', { name: /Timeline by node/ })).focus();
  await userEvent.keyboard('-');
  await waitFor(() => expect(told(router).length).toBe(7_200_000));
  const { from } = told(router);
  await userEvent.keyboard('{ArrowLeft}');
  await waitFor(() => expect(from - told(router).from).toBe(1_440_000));
});

test('a gesture is told to the address once it is over, and a reload shows where it ended', async () => {
  const asked = answers();
  const { router } = renderPage(<TimelinePage />, { at: '/timeline?last=7200' });
  const region = await screen.findByRole('region', { name: /Timeline by node/ });
  const canvas = region.querySelector('canvas')!;
  canvas.setPointerCapture = () => undefined;
  const addresses: string[] = [];
  router.subscribe(({ location }) => addresses.push(location.search));
  vi.mocked(Legend).mockClear();
  fireEvent.pointerDown(canvas, { clientX: 400, isPrimary: true });
  for (let x = 400; x <= 790; x += 10) fireEvent.pointerMove(canvas, { clientX: x, buttons: 1 });
  expect(Legend).not.toHaveBeenCalled(); // only the chart is rendered again, not the page
  fireEvent.pointerUp(canvas);
  await waitFor(() => expect(addresses).not.toEqual([]));
  expect(new Set(addresses).size).toBe(1);
  expect(told(router).length).toBe(7_200_000);
  const { from, to } = told(router);
  expect(now - to).toBeGreaterThan(3_000_000);
  await waitFor(() => expect(Date.parse(asked.at(-1)!.query.get('from')!)).toBe(from));
  cleanup();
  renderPage(<TimelinePage />, { at: `/timeline${router.state.location.search}`, pattern: '/timeline' });
  expect(await screen.findByText(new RegExp(`^${dateTime(new Date(from))} to ${dateTime(new Date(to))}`))).toBeVisible();
});

test('only the primary button drags, and as long as it is held', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answers();
  const { router } = renderPage(<TimelinePage />, { at: '/timeline' });
  const region = await screen.findByRole('region', { name: /Timeline by node/ });
  const canvas = region.querySelector('canvas')!;
  canvas.setPointerCapture = () => undefined;
  const dragged = async (buttons: number, pointerId = 1) => {
    for (let x = 400; x <= 600; x += 10) fireEvent.pointerMove(canvas, { clientX: x, buttons, pointerId });
    await act(() => vi.advanceTimersByTimeAsync(1000));
    return router.state.location.search !== '';
  };
  const held = { clientX: 400, isPrimary: true, pointerId: 1 };
  fireEvent.pointerDown(canvas, { ...held, button: 2 });
  expect(await dragged(1)).toBe(false);
  fireEvent.pointerDown(canvas, { ...held, isPrimary: false });
  expect(await dragged(1)).toBe(false);
  fireEvent.pointerDown(canvas, held);
  fireEvent.lostPointerCapture(canvas, { pointerId: 1 });
  expect(await dragged(1)).toBe(false);
  fireEvent.pointerDown(canvas, held);
  expect(await dragged(2)).toBe(false); // a menu of the other mouse button has swallowed the end of the gesture
  fireEvent.pointerDown(canvas, held);
  expect(await dragged(1, 2)).toBe(false); // by a second finger
  fireEvent.pointerUp(canvas, { pointerId: 2 });
  expect(router.state.location.pathname).toBe('/timeline');
  expect(await dragged(1)).toBe(true);
});

const ended = [spans[2]!];

test.each([
  ['reaches into the future is read again soon, whatever is in it', ended, -30, 60_000, true],
  ['is over is read again at times while something in it lasts', spans, 5, 300_000, true],
  ['is over is not read again soon', spans, 5, 60_000, false],
  ['is over, as is all in it, is not read again', ended, 5, 600_000, false],
])('a part that %s', async (_, list, until, passes, again) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = answers(list);
  renderPage(<TimelinePage />, { at: `/timeline?from=${ago(60)}&to=${ago(until)}`, pattern: '/timeline' });
  await screen.findByRole('region', { name: /Timeline by node/ });
  await act(() => vi.advanceTimersByTimeAsync(passes));
  expect(asked.filter((it) => it.path === '/v1/timeline').length > 1).toBe(again);
});

test('parts that were looked at are not kept for long', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answers();
  const { client } = renderPage(<TimelinePage />, { at: '/timeline' });
  await screen.findByRole('region', { name: /Timeline by node/ });
  for (let i = 0; i < 5; i++) fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(client.getQueryCache().findAll({ queryKey: ['timeline'] })).toHaveLength(1);
});

test.each(['the button', 'its key'])('%s leads back from a part to the length that was followed', async (way) => {
  answers();
  const { router } = renderPage(<TimelinePage />, { at: '/timeline?last=21600' });
  const region = await screen.findByRole('region', { name: /Timeline by node/ });
  expect(screen.queryByRole('button', { name: 'Reset zoom' })).toBeNull();
  region.focus();
  await userEvent.keyboard('++{ArrowLeft}');
  await waitFor(() => expect(told(router).length).toBe(5_400_000));
  if (way === 'the button') await userEvent.click(screen.getByRole('button', { name: 'Reset zoom' }));
  if (way === 'its key') await userEvent.keyboard('0');
  await waitFor(() => expect(router.state.location.search).toBe('?last=21600'));
  expect(screen.queryByRole('button', { name: 'Reset zoom' })).toBeNull();
  expect(screen.getByRole('radio', { name: '6 h' })).toBeChecked();
  expect(region).toHaveFocus();
});

test('a filter is asked of the server', async () => {
  const asked = answers();
  renderPage(<TimelinePage />, { at: '/timeline' });
  await screen.findByRole('link', { name: 'n1' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Job' }), 'j3');
  await waitFor(() => expect(asked.at(-1)!.query.get('job')).toBe('j3'));
});

test('half of a name is not asked of the server, nor a node that is not there', async () => {
  const asked = answers();
  renderPage(<TimelinePage />, { at: '/timeline?job=xy' });
  expect(await screen.findByText('like j17')).toBeVisible();
  await screen.findByRole('link', { name: 'n1' });
  expect(asked.some((it) => it.query.get('job') === 'xy')).toBe(false);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a node that is not there is said at its field', async () => {
  const asked = answers();
  renderPage(<TimelinePage />, { at: '/timeline?node=n' });
  expect(await screen.findByText('no such node')).toBeVisible();
  expect(asked.some((it) => it.path === '/v1/timeline')).toBe(false);
});

test('the table shows the same as text', async () => {
  answers();
  renderPage(<TimelinePage />, { at: '/timeline?view=table' });
  const table = await screen.findByRole('table', { name: 'Spans' });
  expect(table).toHaveTextContent('waits for memory');
  expect(table).toHaveTextContent('500m');
});

test('an empty stretch of time and a refusal are said in words', async () => {
  answer({ 'GET /v1/timeline': { spans: [], at: new Date(now).toISOString(), since: ago(600) }, 'GET /v1/map': { nodes: [] }, 'GET /v1/reservations': { reservations: [] } });
  renderPage(<TimelinePage />, { at: '/timeline' });
  expect(await screen.findByText('Nothing ran then')).toBeVisible();
  answer({ 'GET /v1/timeline': new Refusal(problem(422, 'invalid', 'from is after to')), 'GET /v1/map': { nodes: [] }, 'GET /v1/reservations': { reservations: [] } });
  renderPage(<TimelinePage />, { at: '/timeline?last=60' });
  expect(await screen.findByRole('alert')).toHaveTextContent('From is after to.');
});

const reservation = {
  job: 'j9', name: 'render', owner: 'alice', project: 'default', tasks: 2, cpuMillicores: 500, memoryBytes: 64 << 20, state: 'promised' as const,
  due: ago(-60), from: ago(-61), until: ago(-120), nodes: ['n1', 'n2'], indexes: [1, 3],
};

const ahead = { from: now - 60_000, to: now + 24 * 3_600_000 };
const all = { node: '', job: '' };

test('what is promised is a span to come, on the node and of the job that are shown', () => {
  expect(promisedSpans([reservation], now, ahead, all).map((it) => [it.task, it.node, it.state, it.from, it.to, it.shareMillicores])).toEqual([
    [1, 'n1', 'promised', ago(-60), ago(-120), 500], [3, 'n2', 'promised', ago(-60), ago(-120), 500],
  ]);
  expect(promisedSpans([reservation], now, ahead, { node: 'n2', job: 'j9' })).toHaveLength(1);
  expect(promisedSpans([reservation], now, ahead, { node: '', job: 'j1' })).toEqual([]);
  expect(promisedSpans([{ ...reservation, state: 'broken' }], now, ahead, all)).toEqual([]);
  expect(promisedSpans([{ ...reservation, due: ago(5) }], now, ahead, all)[0]!.from).toBe(ago(0));
});

test('what is promised for another time than is shown is no span', () => {
  expect(promisedSpans([reservation], now, { from: now - 7_200_000, to: now }, all)).toEqual([]);
  expect(promisedSpans([reservation], now, { from: now, to: now + 1_800_000 }, all)).toEqual([]);
  expect(promisedSpans([reservation], now, { from: now + 7_200_000, to: now + 9_000_000 }, all)).toEqual([]);
});

test('the timeline has the promises beside what ran', async () => {
  answer({
    'GET /v1/timeline': { spans, at: new Date(now).toISOString(), since: ago(600) },
    'GET /v1/map': { nodes: [node('n1'), node('n2')] }, 'GET /v1/nodes': { nodes: [node('n1'), node('n2')] },
    'GET /v1/reservations': { reservations: [reservation] },
  });
  renderPage(<TimelinePage />, { at: `/timeline?view=table&from=${ago(60)}&to=${ago(-240)}` });
  expect(await screen.findAllByText('promised')).toHaveLength(2);
  expect(screen.getByRole('status')).toHaveTextContent('5 spans');
});

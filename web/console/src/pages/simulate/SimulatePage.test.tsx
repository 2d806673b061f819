import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Simulation, SimulationReport, SimulationRun } from '../../api/simulations';
import { answer, Refusal } from '../../test/answers';
import { admin, narrowed, problem, renderPage } from '../../test/render';
import { SimulatePage } from './SimulatePage';

const built = vi.fn();
vi.mock('./Plot', () => ({
  default: ({ label, curves }: { label: string; curves: { label: string }[] }) => {
    built(label);
    return <div role="img" aria-label={`${label}: ${curves.map((curve) => curve.label).join(', ')}`} />;
  },
}));

const simulation = (over: Partial<Simulation>): Simulation => ({
  id: 's1', name: 'what if', by: 'ann', state: 'done', source: 'live', policies: ['FCFS', 'EASY'], created: '2026-01-01T12:00:00Z', reportBytes: 100, ...over,
});

const run = (policy: string, stretch: number): SimulationRun => ({
  policy, jobs: 3, skipped: [], measures: [{ name: 'max_bounded_stretch', title: 'maximum bounded stretch', value: stretch }, { name: 'migrations_per_job', title: 'migrations per job', value: stretch / 4 }],
  stretches: Array.from({ length: 101 }, (_, i) => 1 + i / 10),
  course: { stepSeconds: 60, yieldLeast: [0.5, null], yieldMean: [0.7, null], utilization: [0.9, 0], jobsHolding: [2, 0], jobsWaiting: [1, 0] },
  spans: [{ job: 7, fromSeconds: 0, toSeconds: 90, nodes: [0, 1], share: 0.5, yield: 1 }],
  complete: true,
});

const report: SimulationReport = { nodes: ['n1', 'n2'], runs: [run('FCFS', 12.5), run('EASY', 3)] };

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null); // jsdom draws nothing
});

test('the live jobs are simulated under the policies that were chosen', async () => {
  const asked = answer({ 'GET /v1/simulations': { simulations: [] }, 'POST /v1/simulations': simulation({ state: 'waiting' }) });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate' });
  expect(await screen.findByText('Nothing has been simulated yet')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  await waitFor(() => expect(router.state.location.search).toBe('?id=s1'));
  expect(asked.find((it) => it.method === 'POST')!.body).toEqual({
    policies: ['FCFS', 'EASY', 'GreedyPM */stable'], period: '10m', penalty: '5m', live: { runtime: '1h' },
  });
});

test('on a phone the choices stand below each other, so that none is cut off', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'GET /v1/simulations/s1/report': report });
  renderPage(<SimulatePage />, { at: '/simulate?id=s1' });
  expect(await screen.findByRole('radiogroup', { name: 'Policy' })).toHaveAttribute('data-orientation', 'horizontal');
  cleanup();
  narrowed();
  renderPage(<SimulatePage />, { at: '/simulate?id=s1' });
  for (const name of ['Jobs', 'Policy']) expect(await screen.findByRole('radiogroup', { name })).toHaveAttribute('data-orientation', 'vertical');
});

test('a simulation of which it is not known whether it began is started once', async () => {
  const outcomes = [new Refusal(problem(504, 'outcome_unknown', 'the answer was lost')), simulation({ state: 'waiting' })];
  const asked = answer({ 'GET /v1/simulations': { simulations: [] }, 'POST /v1/simulations': () => outcomes.shift() });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate' });
  await userEvent.click(await screen.findByRole('button', { name: 'Simulate' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('It may have succeeded');
  await userEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  await waitFor(() => expect(router.state.location.search).toBe('?id=s1'));
  const keys = asked.filter((it) => it.method === 'POST').map((it) => it.headers.get('idempotency-key'));
  expect(keys[0]).toMatch(/^console-/);
  expect(keys[1]).toBe(keys[0]);
});

test('a trace is sent as it is', async () => {
  const asked = answer({ 'GET /v1/simulations': { simulations: [] }, 'POST /v1/simulations': simulation({ state: 'waiting' }) });
  renderPage(<SimulatePage />, { at: '/simulate' });
  await userEvent.click(screen.getByText('A trace (CSV)'));
  expect(screen.getByText('Choose the file of a trace.')).toBeVisible();
  const text = 'id,submit,tasks,cpu,mem,runtime\n1,0,1,1,0.1,60\n';
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, new File([text], 'day.csv'));
  const start = screen.getByRole('button', { name: 'Simulate' });
  await waitFor(() => expect(start).toBeEnabled());
  await userEvent.click(start);
  await waitFor(() => expect(asked.some((it) => it.method === 'POST')).toBe(true));
  expect(asked.find((it) => it.method === 'POST')!.body).toMatchObject({ trace: { format: 'native', text, nodes: 16 } });
});

test('a simulation that runs shows how far it is, and can be cancelled', async () => {
  const running = simulation({ state: 'running', progress: { policy: 'EASY', number: 2, jobs: 200, ended: 50, streamSeconds: 3600 } });
  const asked = answer({ 'GET /v1/simulations': { simulations: [running] }, 'POST /v1/simulations/s1/cancel': new Response(null, { status: 204 }) });
  renderPage(<SimulatePage />, { at: '/simulate?id=s1' });
  expect(await screen.findByRole('progressbar')).toHaveAttribute('aria-valuenow', '62.5');
  expect(screen.getByText('EASY: 50 of 200 jobs, 1 h of the stream')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel what if' }));
  await waitFor(() => expect(asked.some((it) => it.path === '/v1/simulations/s1/cancel')).toBe(true));
});

test('a reload shows the same part of a simulated timeline, and a simulation that is not there is said', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'GET /v1/simulations/s1/report': report });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate?id=s1&zoom=30000-60000' });
  const timeline = await screen.findByRole('region', { name: /^Simulated timeline/ });
  await userEvent.type(timeline, '{ArrowRight}');
  const zoom = () => new URLSearchParams(router.state.location.search).get('zoom')!;
  await waitFor(() => expect(zoom()).not.toBe('30000-60000'));
  const [from, to] = zoom().split('-').map(Number);
  expect(from).toBeGreaterThan(30_000);
  expect(to! - from!).toBe(30_000);
  cleanup();
  renderPage(<SimulatePage />, { at: '/simulate?id=s9' });
  expect(await screen.findByText(/There is no simulation s9 here/)).toBeVisible();
});

test('neither moving the timeline nor choosing its policy rebuilds a plot, and the address tells where it comes to rest', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'GET /v1/simulations/s1/report': report });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate?id=s1&zoom=0-10000' });
  const timeline = await screen.findByRole('region', { name: /^Simulated timeline/ });
  await screen.findByRole('img', { name: 'Waiting jobs: FCFS, EASY' });
  built.mockClear();
  const told: string[] = [];
  router.subscribe(({ location }) => told.push(location.search));
  for (let i = 0; i < 5; i++) fireEvent.keyDown(timeline, { key: 'ArrowRight' });
  await waitFor(() => expect(told).not.toEqual([]));
  expect([...new Set(told)]).toEqual(['?id=s1&zoom=10000-20000']);
  await userEvent.click(screen.getByRole('radio', { name: 'EASY' }));
  await screen.findByRole('region', { name: 'Simulated timeline under EASY' });
  expect(built).not.toHaveBeenCalled();
});

test('after zooming there is a way back to the whole', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'GET /v1/simulations/s1/report': report });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate?id=s1' });
  const timeline = await screen.findByRole('region', { name: /^Simulated timeline/ });
  fireEvent.keyDown(timeline, { key: '-' });
  expect(screen.queryByRole('button', { name: 'Reset zoom' })).toBeNull(); // there is no more than the whole
  fireEvent.keyDown(timeline, { key: '+' });
  await waitFor(() => expect(router.state.location.search).toBe('?id=s1&zoom=22500-67500'));
  await userEvent.click(screen.getByRole('button', { name: 'Reset zoom' }));
  await waitFor(() => expect(router.state.location.search).toBe('?id=s1'));
  expect(screen.queryByRole('button', { name: 'Reset zoom' })).toBeNull();
});

test('another simulation is shown as a whole, not by the policy and the part that were chosen of the one before', async () => {
  const simulations = [simulation({}), simulation({ id: 's2', name: 'what else' })];
  answer({ 'GET /v1/simulations': { simulations }, 'GET /v1/simulations/s1/report': report, 'GET /v1/simulations/s2/report': report });
  const { router } = renderPage(<SimulatePage />, { at: '/simulate?id=s1&rows=jobs&policy=EASY&zoom=30000-60000' });
  await screen.findByRole('region', { name: 'Simulated timeline under EASY' });
  await userEvent.click(screen.getByRole('button', { name: 'what if' }));
  expect(router.state.location.search).toBe('?id=s1&rows=jobs&policy=EASY&zoom=30000-60000');
  await userEvent.click(screen.getByRole('button', { name: 'what else' }));
  await waitFor(() => expect(router.state.location.search).toBe('?id=s2&rows=jobs'));
  const zoomIn = async () => fireEvent.keyDown(await screen.findByRole('region', { name: 'Simulated timeline under FCFS' }), { key: '+' });
  await zoomIn();
  await waitFor(() => expect(router.state.location.search).toBe('?id=s2&rows=jobs&zoom=22500-67500'));
  await userEvent.click(screen.getByRole('button', { name: 'what if' }));
  await screen.findByRole('row', { name: /what if/, selected: true });
  await zoomIn();
  await waitFor(() => expect(router.state.location.search).toBe('?id=s1&rows=jobs&zoom=22500-67500'));
});

test('a report compares the policies in numbers, in plots and on a timeline', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'GET /v1/simulations/s1/report': report });
  renderPage(<SimulatePage />, { at: '/simulate?id=s1' });
  const table = await screen.findByRole('table', { name: 'Measures by policy' });
  const row = within(table).getByRole('row', { name: /maximum bounded stretch/ });
  expect(row).toHaveTextContent('12.5');
  expect(row).toHaveTextContent('3');
  for (const title of ['Bounded stretch', 'Least yield', 'Mean yield', 'Utilization', 'Waiting jobs']) {
    expect(screen.getByRole('region', { name: title })).toBeVisible();
  }
  expect(await screen.findByRole('img', { name: 'Least yield: FCFS, EASY' })).toBeInTheDocument();
  const moves = within(screen.getByRole('region', { name: 'Moves' })).getByRole('list', { name: 'migrations per job' });
  expect(within(moves).getAllByRole('listitem').map((row) => row.textContent)).toEqual(['FCFS3.125', 'EASY0.75']);
  expect([...moves.querySelectorAll<HTMLElement>('[aria-hidden]')].map((bar) => bar.style.width)).toEqual(['100%', '24%']);
  expect(screen.getByRole('region', { name: 'Simulated timeline under FCFS' })).toHaveTextContent('n1');
});

test('a simulation that failed says why, and a refusal is told in words', async () => {
  answer({
    'GET /v1/simulations': { simulations: [simulation({ state: 'failed', error: 'it needed more memory than 2 GiB' })] },
    'POST /v1/simulations': new Refusal(problem(422, 'invalid', 'there is no policy "FCFC"')),
  });
  renderPage(<SimulatePage />, { at: '/simulate' });
  expect(await screen.findByText('it needed more memory than 2 GiB')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no policy "FCFC".');
});

test('deleting asks once and says that it is done', async () => {
  const asked = answer({ 'GET /v1/simulations': { simulations: [simulation({})] }, 'DELETE /v1/simulations/s1': new Response(null, { status: 204 }) });
  renderPage(<SimulatePage />, { at: '/simulate' });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete what if' }));
  expect(asked.some((it) => it.method === 'DELETE')).toBe(false);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete it' }));
  expect(await screen.findByText('The simulation what if is deleted')).toBeVisible();
});

test('only who asked for a simulation, or an operator, may end it', async () => {
  answer({ 'GET /v1/simulations': { simulations: [simulation({ by: 'bob' }), simulation({ id: 's2', name: 'mine', by: 'ann' })] } });
  renderPage(<SimulatePage />, { at: '/simulate', session: { ...admin, role: 'user', actor: 'ann' } });
  expect(await screen.findByRole('button', { name: 'Delete mine' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete what if' })).toBeNull();
});

test('a reload keeps the form, and the rarer fields are asked for', async () => {
  const asked = answer({ 'GET /v1/simulations': { simulations: [] }, 'POST /v1/simulations': simulation({ state: 'waiting' }) });
  renderPage(<SimulatePage />, { at: '/simulate' });
  await userEvent.type(screen.getByLabelText('Name'), 'rare');
  await userEvent.click(screen.getByRole('button', { name: /^Cost, estimates/ }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Cost' }), 'live');
  await waitFor(() => expect(sessionStorage.getItem('aliquot-simulation-draft')).toContain('"rare"'));
  cleanup();
  renderPage(<SimulatePage />, { at: '/simulate' });
  await userEvent.click(screen.getByRole('button', { name: 'Simulate' }));
  await waitFor(() => expect(asked.find((it) => it.method === 'POST')?.body).toMatchObject({ name: 'rare', cost: 'live', live: { runtime: '1h' } }));
});

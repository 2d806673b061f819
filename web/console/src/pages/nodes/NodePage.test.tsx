import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Job, Node, Plan, Schemas } from '../../api/client';
import { answer, golden, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { NodePage } from './NodePage';
import { cpuSegments } from './segments';

const node: Node = golden<{ nodes: Node[] }>('nodes.json').nodes[0]!;
const map = golden<Schemas['ClusterMap']>('map.json');
const job = golden<Job>('job_running.json');
const plan = golden<Plan>('plan.json');

const page = (shown: Node = node, answers: Record<string, unknown> = {}, session = admin) => {
  const asked = answer({
    [`GET /v1/nodes/${node.name}`]: shown,
    'GET /v1/map': { ...map, nodes: [map.nodes[0]] },
    'GET /v1/jobs': { jobs: [job], total: 1 },
    ...answers,
  });
  renderPage(<NodePage />, { at: `/nodes/${node.name}`, pattern: '/nodes/:node', session });
  return asked;
};

test('a node shows its VMs with the caps asked and observed', async () => {
  const cells = async () => {
    const table = within(await screen.findByRole('table', { name: 'VMs' }));
    return within(table.getByRole('link', { name: 'j1' }).closest('tr')!).getAllByRole('cell').map((cell) => cell.textContent).slice(5, 8);
  };
  page();
  expect(await cells()).toEqual(['600m', '600m', '587m']);
  expect(screen.getByRole('img', { name: 'CPU shares of the foreground VMs' })).toBeVisible();
  cleanup();
  page(node, { 'GET /v1/jobs': { jobs: [{ ...job, tasks: [{ ...job.tasks![0]!, capObservedMillicores: 400 }] }], total: 1 } });
  expect(await cells()).toEqual(['600m', '400m, asked 600m', '587m']);
});

test('a task that the node is charged for is shown before its VM is there', async () => {
  const starting = { ...job.tasks![0]!, state: 'starting', node: undefined, target: node.name, usedMillicores: undefined };
  page({ ...node, state: 'silent' }, { 'GET /v1/jobs': { jobs: [{ ...job, tasks: [starting] }], total: 1 } });
  const table = within(await screen.findByRole('table', { name: 'VMs' }));
  expect(table.getByText('starting')).toBeVisible();
  expect(table.getByText(/^not here yet, and charged already/)).toBeVisible();
  expect(screen.queryByText(/^No VM of this cluster/)).toBeNull();
  cleanup();
  page({ ...node, state: 'silent' }, { 'GET /v1/jobs': { jobs: [], total: 0 } });
  expect(await screen.findByText('No VM of this cluster is here or on its way here')).toBeVisible();
});

test('a node in maintenance says until when', async () => {
  page({ ...node, state: 'drained', maintenance: [{ start: '2026-01-01T11:00:00Z', end: '2026-01-01T13:00:00Z', begun: true, reason: '' }] });
  expect(await screen.findByText(/, in maintenance until 2026-01-01 \d\d:00:00 \S+$/)).toBeVisible();
});

test('a speed is shown with its source where it is not simply that of the reference', async () => {
  page({ ...node, speed: 1, speedSource: 'assumed', measuredSpeed: 1.35 });
  expect(await screen.findByText("1, assumed; 1.35 was measured, and its monitor's settings declare none")).toBeVisible();
  cleanup();
  page({ ...node, speed: 0.5, speedSource: 'declared', measuredSpeed: 0 });
  expect(await screen.findByText('0.5, declared')).toBeVisible();
});

test('a node without a connection is shown as such, also that it is draining', async () => {
  page({ ...node, state: 'unreachable', cordoned: true, draining: true });
  expect(await screen.findByText('unreachable')).toBeVisible();
  expect(screen.getByText(/^, draining$/)).toBeVisible();
});

test('a node with background VMs shows them apart, with what they may use and use now', async () => {
  const shown = map.nodes[0]!;
  const two = { ...shown, vms: [shown.vms[0]!, { ...shown.vms[0]!, task: 9, tier: 'background' as const, capAskedMillicores: 700 }] };
  page({ ...node, guaranteedMillicores: 600, bestEffortMillicores: 700, usedBackgroundMillicores: 300, cpuMillicores: 2000 }, { 'GET /v1/map': { ...map, nodes: [two] } });
  expect(await screen.findByText('CPU caps of the VMs in the foreground: 0.5 of 2 cores, by VM')).toBeVisible();
  expect(screen.getByText('CPU in the background: up to 700m that are not granted, and what others leave of theirs; now 300m, by VM')).toBeVisible();
  expect(screen.getByRole('img', { name: 'CPU caps of the background VMs' })).toBeVisible();
  cleanup();
  page({ ...node, bestEffortMillicores: 0, usedBackgroundMillicores: 300 }, { 'GET /v1/map': { ...map, nodes: [two] } });
  expect(await screen.findByText('CPU in the background: what others leave of theirs; now 300m, by VM')).toBeVisible();
  cleanup();
  page(node);
  await screen.findByRole('img', { name: 'CPU shares of the foreground VMs' });
  expect(screen.queryByRole('img', { name: 'CPU caps of the background VMs' })).toBeNull();
});

test('of a node whose VMs are bound, each core is shown with its tasks of both tiers', async () => {
  const vm = { ...map.nodes[0]!.vms[0]!, arriving: undefined, job: 'j7', task: 0 };
  const bound = { ...map.nodes[0]!, vms: [{ ...vm, core: 1 }, { ...vm, job: 'j8', core: 1, tier: 'background' as const }, { ...vm, job: 'j9', core: 2, tier: 'background' as const }] };
  page({ ...node, slots: 3 }, { 'GET /v1/map': { ...map, nodes: [bound] } });
  const shown = async () => within(await screen.findByRole('list', { name: 'Processors' })).getAllByRole('listitem').map((core) => within(core).queryAllByRole('link').map((link) => link.textContent));
  expect(await shown()).toEqual([['j7/0', 'j8/0'], ['j9/0'], []]);
  cleanup();
  page({ ...node, slots: 3 });
  await screen.findByRole('img', { name: 'CPU shares of the foreground VMs' });
  expect(screen.queryByRole('list', { name: 'Processors' })).toBeNull();
});

test('the background of a full node is not drawn beyond it', () => {
  const vm = map.nodes[0]!.vms[0]!;
  const full = { ...map.nodes[0]!, cpuMillicores: 1000, foreignMillicores: 0, vms: [{ ...vm, capAskedMillicores: 800 }, { ...vm, task: 9, tier: 'background' as const, capAskedMillicores: 800 }] };
  expect(cpuSegments(full).map((part) => [part.hatched, Math.round(part.fraction * 10)])).toEqual([[false, 8], [true, 2]]);
});

test('the use of the whole machine is shown, and what is not measured is not 0 %', async () => {
  page();
  expect(await screen.findByText('1.9 of 4 cores: 48 %')).toBeVisible();
  expect(screen.getByText('1.2 GiB of 2 GiB: 59 %')).toBeVisible();
  expect(screen.getByText('30 GiB of 40 GiB: 75 %')).toBeVisible();
  cleanup();
  page({ ...node, host: { ...node.host!, cpuMillicores: 0 } });
  expect(await screen.findByText('not measured yet')).toBeVisible();
});

test('a lost node offers nothing: what is granted there is no part of a capacity', async () => {
  const facts = () => new Map([...document.querySelectorAll('dt')].map((name) => [name.textContent, name.nextElementSibling?.textContent]));
  const shown = () => ['CPU granted', 'CPU load', 'Memory charged'].map((name) => facts().get(name));
  const known = { ...node, cpuMillicores: 4000, guaranteedMillicores: 500, needMillicores: 1000, memoryBytes: 2 ** 30, memoryReservedBytes: 2 ** 28 };
  page({ ...known, state: 'ready' });
  await screen.findByText('CPU granted');
  expect(shown()).toEqual(['0.5 of 4 cores', '25 %: 1 core needed', '256 MiB of 1 GiB']);
  cleanup();
  page({ ...known, state: 'silent' });
  await screen.findByText('CPU granted');
  expect(shown()).toEqual(['500m of a lost node', '–: 1 core needed', '256 MiB of a lost node']);
});

test('what is out of the ordinary about a VM is remarked, and nothing where there is nothing', async () => {
  const usual = { ...job, tasks: job.tasks!.map((task) => ({ ...task, node: node.name, move: undefined })) };
  page(node, { 'GET /v1/jobs': { jobs: [usual], total: 1 } });
  await screen.findByRole('table', { name: 'VMs' });
  expect(screen.queryByRole('columnheader', { name: 'Remarks' })).toBeNull();
  cleanup();
  page(node, { 'GET /v1/jobs': { jobs: [{ ...usual, tasks: usual.tasks.map((task) => ({ ...task, tier: 'background' })) }], total: 1 } });
  expect((await screen.findAllByRole('cell', { name: 'background tier' }))[0]).toBeVisible();
});

test('VMs are sorted by what is charged for them', async () => {
  const placed = (id: string, chargeBytes: number): Job => ({ ...job, id, chargeBytes, tasks: [{ ...job.tasks![0]!, node: node.name }] });
  page(node, { 'GET /v1/jobs': { jobs: [placed('j1', 96 << 20), placed('j2', 160 << 20), placed('j3', 112 << 20)], total: 3 } });
  const table = within(await screen.findByRole('table', { name: 'VMs' }));
  const order = () => table.getAllByRole('link').map((link) => link.textContent);
  await userEvent.click(table.getByRole('button', { name: 'Charged' }));
  expect(order()).toEqual(['j2', 'j3', 'j1']);
  await userEvent.click(table.getByRole('button', { name: /^Charged/ }));
  expect(order()).toEqual(['j1', 'j3', 'j2']);
});

test('draining shows first what would happen and then does exactly that', async () => {
  const asked = page(node, { 'POST /v1/plan': plan, 'POST /v1/plan/apply': { revision: 17 } });
  await userEvent.click(await screen.findByRole('button', { name: 'Drain…' }));
  expect(await screen.findByText('task 0 of j1 moves from n1 to n2 with 400m')).toBeVisible();
  expect(screen.getByText('The least yield would go from 1.00 to 0.80.')).toBeVisible();
  expect(screen.getByText('The plan takes 1 migration; 80 MiB of memory would be saved, restored or sent to another node.')).toBeVisible();
  expect(screen.getByText(/cannot change at present: its guest has not started yet/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: `Drain ${node.name}` }));
  expect(await screen.findByText(`${node.name} is draining`)).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/plan/apply')!.body).toEqual({ basis: 16, hypothesis: { drain: node.name } });
});

test('a cordon that is refused because promises would break names them, and is done by force after a question', async () => {
  const detail = 'it would break the promises to j88 of alice (2026-01-01 12:00 to 13:00): plan maintenance for another time, or force it';
  const refused = new Refusal(problem(409, 'conflict', detail, { field: 'node' }));
  const asked = page(node, { 'POST /v1/nodes/n1/cordon': refused });
  const cordons = () => asked.filter((it) => it.path.startsWith('/v1/nodes/n1/cordon'));
  await userEvent.click(await screen.findByRole('button', { name: 'Cordon' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cordon n1 and break promises?' }));
  expect(dialog.getByText(/It would break the promises to j88 of alice \(2026-01-01 12:00 to 13:00\)\. No other node has room/)).toBeVisible();
  expect(cordons()).toHaveLength(1);
  await userEvent.click(dialog.getByRole('button', { name: 'Leave it' }));
  expect(cordons()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Cordon' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cordon n1 and break promises' }));
  await waitFor(() => expect(cordons()).toHaveLength(3));
  expect(cordons().map((it) => it.query?.get('force'))).toEqual([null, null, 'true']);
});

test('a drain that would break promises says which', async () => {
  const broken = [{ job: 'j88', owner: 'alice', from: '2026-01-01T12:00:00Z', until: '2026-01-01T13:00:00Z' }];
  const asked = page(node, { 'POST /v1/plan': { ...plan, broken }, 'POST /v1/plan/apply': { revision: 17 } });
  await userEvent.click(await screen.findByRole('button', { name: 'Drain…' }));
  expect(await screen.findByText('A promise would break')).toBeVisible();
  expect(screen.getByText(/j88 of alice, promised from/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: `Drain ${node.name} and break promises` }));
  await waitFor(() => expect(asked.find((it) => it.path === '/v1/plan/apply')?.body).toMatchObject({ force: true }));
});

test('a drain whose outcome is not known is told of outside of the dialog, and is done once when it is tried again', async () => {
  const outcomes = [new Refusal(problem(504, 'outcome_unknown', 'no majority confirmed in time')), { revision: 17, repeated: true }];
  const asked = page(node, { 'POST /v1/plan': plan, 'POST /v1/plan/apply': () => outcomes.shift() });
  await userEvent.click(await screen.findByRole('button', { name: 'Drain…' }));
  await userEvent.click(await screen.findByRole('button', { name: `Drain ${node.name}` }));
  const notices = within(screen.getByRole('region', { name: /^Notifications/, hidden: true }));
  expect(await notices.findByText(`${node.name} may be draining; you can safely repeat it`)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: `Drain ${node.name}` }));
  expect(await screen.findByText(`${node.name} is draining`)).toBeVisible();
  const keys = asked.filter((it) => it.path === '/v1/plan/apply').map((it) => it.headers.get('idempotency-key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a preview that is out of date is renewed, and nothing is done', async () => {
  const asked = page(node, { 'POST /v1/plan': plan, 'POST /v1/plan/apply': new Refusal(problem(409, 'stale_basis', 'the state is at 26')) });
  await userEvent.click(await screen.findByRole('button', { name: 'Drain…' }));
  await userEvent.click(await screen.findByRole('button', { name: `Drain ${node.name}` }));
  expect(await screen.findByText(`Nothing was done. The state is at 26. Below is the present plan: drain ${node.name}, or close this.`)).toBeVisible();
  await waitFor(() => expect(asked.filter((it) => it.path === '/v1/plan')).toHaveLength(2));
});

test('a silent node can be confirmed down, after a warning', async () => {
  page({ ...node, state: 'silent', health: 'silent' });
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm that it is down' }));
  expect(await screen.findByText(/If you are wrong, they run twice/)).toBeVisible();
});

test('a node without tasks can be removed, after a warning', async () => {
  page({ ...node, state: 'drained', draining: true, tasks: 0 });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/comes back only with a new token/)).toBeVisible();
});

test('a viewer is offered nothing to do', async () => {
  page(node, {}, { ...admin, role: 'viewer' });
  await screen.findByRole('table', { name: 'VMs' });
  expect(screen.queryByRole('button', { name: /Drain|ordon/ })).toBeNull();
});

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Node, Schemas } from '../../api/client';
import { answer, golden } from '../../test/answers';
import { admin, renderPage } from '../../test/render';
import { cellAt, drawNode, gridOf, indexAt, inks } from './canvas';
import { NodesPage } from './NodesPage';
import { cpuSegments, memorySegments } from './segments';

const map = golden<Schemas['ClusterMap']>('map.json');
const nodes = golden<{ nodes: Node[] }>('nodes.json').nodes;

test('the map has a bar of CPU and one of memory for every node', async () => {
  const named = map.nodes.map((node, i) => ({ ...nodes[i % nodes.length]!, name: node.name }));
  answer({ 'GET /v1/nodes': { nodes: named }, 'GET /v1/map': map });
  renderPage(<NodesPage />, { at: '/nodes' });
  expect(await screen.findByRole('img', { name: 'CPU of n1: 0.95 of 2 cores granted' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Memory of n1: 224 MiB of 1 GiB charged' })).toBeVisible();
});

test('what the background may use stands beside the needs on the card of a node, not in the line of its CPU', async () => {
  const [first, ...others] = map.nodes;
  const vm = { ...first!.vms[0]!, task: 9, tier: 'background' as const, arriving: undefined, capAskedMillicores: 500 };
  const named = map.nodes.map((node, i) => ({ ...nodes[i % nodes.length]!, name: node.name }));
  answer({ 'GET /v1/nodes': { nodes: named }, 'GET /v1/map': { ...map, nodes: [{ ...first!, shareMillicores: first!.shareMillicores + 80, vms: [...first!.vms, vm] }, ...others] } });
  renderPage(<NodesPage />, { at: '/nodes' });
  expect(await screen.findByRole('img', { name: 'CPU of n1: 0.95 of 2 cores granted' })).toBeVisible();
  expect(screen.getAllByRole('article')[0]).toHaveTextContent(/needed, up to .* in the background/);
});

const ofState = (state: string, i: number) => ({ name: `n${i + 1}`, state, cpuMillicores: 4000, memoryBytes: 2 ** 30 });
const states = ['ready', 'cordoned', 'drained', 'silent', 'down', 'stalled'];

test('a node that is lost or takes no new VMs does not look free, and what is lost is not in the sum', async () => {
  const named = states.map((state, i) => ({ ...nodes[0]!, ...ofState(state, i), tasks: 1 }));
  answer({ 'GET /v1/nodes': { nodes: named }, 'GET /v1/map': { ...map, nodes: named.map((node) => ({ ...map.nodes[0]!, ...node, vms: [] })) } });
  renderPage(<NodesPage />, { at: '/nodes' });
  const cards = await screen.findAllByRole('article');
  expect(cards.map((card) => [...card.querySelectorAll('[data-standing]')].map((bar) => bar.getAttribute('data-standing')))).toEqual(
    ['open', 'closed', 'closed', 'lost', 'lost', 'closed'].map((it) => [it, it]),
  );
  expect(cards[1]).toHaveTextContent('Takes no new VMs');
  expect(cards[3]).toHaveTextContent('Lost: its VMs may still run');
  expect(cards[3]).toHaveTextContent('1.6 cores of a lost node');
  expect(cards.map((card) => card.getAttribute('aria-label'))).toEqual([
    'Node n1, ready', 'Node n2, cordoned, Takes no new VMs', 'Node n3, drained, Takes no new VMs',
    'Node n4, silent, Lost: its VMs may still run', 'Node n5, down, Lost: its tasks may start elsewhere',
    'Node n6, stalled, Its hypervisor does not answer: VMs there run on, but none can start, stop or move',
  ]);
  expect(cards[4]).toHaveTextContent('Lost: its tasks may start elsewhere');
  expect(screen.getByRole('status')).toHaveTextContent('6 nodes, 2 of them lost and not counted: 16 cores, 4 GiB; 6 tasks');
  expect(screen.getByRole('note', { name: 'Legend' })).toHaveTextContent('not there: the node is lost');
});

test('operators see which nodes are invited and have not joined', async () => {
  const invitations = [{ node: 'n7', expires: '2026-01-01T14:00:00Z' }];
  answer({ 'GET /v1/nodes': { nodes: [] }, 'GET /v1/invitations': { invitations } });
  renderPage(<NodesPage />, { at: '/nodes', session: admin });
  expect(await screen.findByText(/^Invited, not joined yet:/)).toHaveTextContent('n7 (until');
});

test('the invitation of a node that has joined is one to join again', async () => {
  const invitations = ['n1', 'n7'].map((node) => ({ node, expires: '2026-01-01T14:00:00Z' }));
  answer({ 'GET /v1/nodes': { nodes: [nodes[0]!] }, 'GET /v1/map': map, 'GET /v1/invitations': { invitations } });
  renderPage(<NodesPage />, { at: '/nodes', session: admin });
  expect(await screen.findByText(/^Invited to join again:/)).toHaveTextContent(/: n1 \(until [^,]*$/);
  expect(screen.getByText(/^Invited, not joined yet:/)).toHaveTextContent(/: n7 \(until [^,]*$/);
});

test('whoever is no operator neither asks for invitations nor sees one', async () => {
  const invitations = [{ node: 'n7', expires: '2026-01-01T14:00:00Z' }];
  const asked = answer({ 'GET /v1/nodes': { nodes: [] }, 'GET /v1/invitations': { invitations } });
  renderPage(<NodesPage />, { at: '/nodes', session: { ...admin, role: 'viewer' } });
  expect(await screen.findByText('No node has joined yet')).toBeVisible();
  expect(asked.filter((it) => it.path === '/v1/invitations')).toEqual([]);
  expect(screen.queryByText(/^Invited, not joined yet:/)).toBeNull();
});

test('in the table a lost node offers nothing', async () => {
  answer({ 'GET /v1/nodes': { nodes: states.map((state, i) => ({ ...nodes[0]!, ...ofState(state, i) })) } });
  renderPage(<NodesPage />, { at: '/nodes?view=table' });
  await screen.findByRole('table', { name: 'Nodes' });
  const cells = [...document.querySelectorAll('tr[aria-rowindex]')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));
  expect(cells.map((row) => [row[1], row[3], row[8]])).toEqual([
    ['ready', '4 cores', '1 GiB'], ['cordoned', '4 cores', '1 GiB'], ['drained', '4 cores', '1 GiB'], ['silent', 'lost', 'lost'], ['down', 'lost', 'lost'], ['stalled', '4 cores', '1 GiB'],
  ]);
});

test('nodes are listed by name, n9 before n10, in whatever order they have joined', async () => {
  answer({ 'GET /v1/nodes': { nodes: ['n10', 'n9', 'n1'].map((name) => ({ ...nodes[0]!, name })) } });
  renderPage(<NodesPage />, { at: '/nodes?view=table' });
  await screen.findByRole('table', { name: 'Nodes' });
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['n1', 'n9', 'n10']);
});

test('a cluster without nodes says how one joins', async () => {
  answer({ 'GET /v1/nodes': { nodes: [] } });
  renderPage(<NodesPage />, { at: '/nodes' });
  expect(await screen.findByText('No node has joined yet')).toBeVisible();
  expect(screen.getByText('aliquot node invite NAME')).toBeVisible();
});

test('the parts of a node are fractions of it, and what arrives is hatched', () => {
  const n1 = map.nodes[0]!;
  expect(cpuSegments(n1).map(({ key, fraction, hatched }) => [key, fraction, hatched])).toEqual([['j1/0', 0.25, false], ['j2/0', 0.225, true]]);
  expect(memorySegments(n1).map(({ fraction }) => fraction)).toEqual([83886080 / 2 ** 30, 150994944 / 2 ** 30]);
});

/** Counts the calls of a canvas context's functions, by name. */
function counted() {
  const calls = new Map<string, number>();
  const count = (name: string) => () => void calls.set(name, (calls.get(name) ?? 0) + 1);
  const context = new Proxy({}, { get: (_, name) => count(String(name)), set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return calls;
}

const thousand = (change: number) => Array.from({ length: 1000 }, (_, i) => ({ ...map.nodes[0]!, name: `n${i}`, shareMillicores: i === 7 ? change : 0 }));

test('of a large map, nodes that have not changed are not drawn again, nor is anything when one is pointed at', async () => {
  const calls = counted();
  let change = 1;
  answer({ 'GET /v1/nodes': () => ({ nodes: thousand(0).map(({ name }) => ({ ...nodes[0]!, name })) }), 'GET /v1/map': () => ({ nodes: thousand(change) }) });
  const { client } = renderPage(<NodesPage />, { at: '/nodes' });
  const canvas = await screen.findByRole('application', { name: 'Map of 1,000 nodes' });
  expect(calls.get('fillText')).toBe(1000);
  fireEvent.mouseMove(canvas, { clientX: 10, clientY: 10 });
  expect(await screen.findByText(/^n0, ready: 2 VMs/)).toBeVisible();
  expect(calls.get('fillText')).toBe(1000);
  change = 2;
  await act(() => client.refetchQueries({ queryKey: ['nodes', 'map'] }));
  await waitFor(() => expect(calls.get('fillText')).toBe(1001));
});

test('whoever walked to a node that is gone since stands nowhere', async () => {
  answer({ 'GET /v1/nodes': { nodes: thousand(0).map(({ name }) => ({ ...nodes[0]!, name })) }, 'GET /v1/map': { nodes: thousand(0) } });
  const { router } = renderPage(<NodesPage />, { at: '/nodes' });
  const canvas = await screen.findByRole('application', { name: 'Map of 1,000 nodes' });
  for (let i = 0; i < 201; i++) fireEvent.keyDown(canvas, { key: 'ArrowRight' });
  expect(screen.getByText(/^n200, ready/)).toBeVisible();
  await userEvent.type(screen.getByLabelText('Find'), 'n1');
  await screen.findByRole('application', { name: 'Map of 111 nodes' });
  fireEvent.keyDown(canvas, { key: 'Enter' });
  expect(router.state.location.pathname).toBe('/nodes');
  fireEvent.keyDown(canvas, { key: 'ArrowLeft' });
  expect(screen.getByText(/^n199, ready/)).toBeVisible();
});

test('what is hatched is hatched by one stroke, however wide it is', () => {
  const calls = counted();
  const hatched = map.nodes[0]!.vms.filter((vm) => vm.tier === 'background' || vm.arriving).length;
  drawNode(document.createElement('canvas').getContext('2d')!, { ...map.nodes[0]!, state: 'ready', foreignMillicores: 0, foreignMemoryBytes: 0 }, 0, 0, inks.light);
  expect(hatched).toBeGreaterThan(0);
  expect(calls.get('stroke')).toBe(2 * hatched);
  expect(calls.get('fillRect')).toBe(2 + 2 * map.nodes[0]!.vms.length);
});

test('a point of the canvas is the node that is drawn there', () => {
  const grid = gridOf(1000, 1000);
  for (const index of [0, 1, grid.columns, 999]) {
    const { x, y } = cellAt(index, grid);
    expect(indexAt(x + 3, y + 3, grid, 1000)).toBe(index);
  }
  expect(indexAt(74, 5, grid, 1000)).toBeUndefined();
  expect(indexAt(3, grid.height + 50, grid, 1000)).toBeUndefined();
});

test('an operator invites a node and is shown the command with its token this once', async () => {
  const asked = answer({
    'GET /v1/nodes': { nodes: [] },
    'POST /v1/nodes/n4/invitation': { node: 'n4', token: 'alqj_s3cret', expires: '2026-01-01T12:00:00Z' },
  });
  renderPage(<NodesPage />, { at: '/nodes' });
  await userEvent.click(screen.getByRole('button', { name: 'Invite a node' }));
  await userEvent.type(await screen.findByLabelText(/^Name/), 'n4');
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }));
  expect(await screen.findByText("(umask 077; echo 'alqj_s3cret' > join.token)")).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText(/alqj_s3cret/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(screen.queryByText(/alqj_s3cret/)).toBeNull();
  expect(asked.filter((it) => it.method === 'POST')).toHaveLength(1);
});

test('whoever is no operator is not offered to invite', async () => {
  answer({ 'GET /v1/nodes': { nodes: [] } });
  renderPage(<NodesPage />, { at: '/nodes', session: { ...admin, role: 'user' } });
  expect(await screen.findByText('No node has joined yet')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Invite a node' })).toBeNull();
});

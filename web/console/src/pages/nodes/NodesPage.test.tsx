import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Node, Schemas } from '../../api/client';
import { answer, golden } from '../../test/answers';
import { renderPage } from '../../test/render';
import { cellAt, gridOf, indexAt } from './canvas';
import { NodesPage } from './NodesPage';
import { cpuSegments, memorySegments } from './segments';

const map = golden<Schemas['ClusterMap']>('map.json');
const nodes = golden<{ nodes: Node[] }>('nodes.json').nodes;

test('the map has a bar of CPU and one of memory for every node', async () => {
  const named = map.nodes.map((node, i) => ({ ...nodes[i % nodes.length]!, name: node.name }));
  answer({ 'GET /v1/nodes': { nodes: named }, 'GET /v1/map': map });
  renderPage(<NodesPage />, { at: '/nodes' });
  expect(await screen.findByRole('img', { name: 'CPU of n1: 0.95 cores of 2 cores granted' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Memory of n1: 224 MiB of 1 GiB charged' })).toBeVisible();
});

test('a cluster without nodes says how one joins', async () => {
  answer({ 'GET /v1/nodes': { nodes: [] } });
  renderPage(<NodesPage />, { at: '/nodes' });
  expect(await screen.findByText('No node has joined yet')).toBeVisible();
  expect(screen.getByText('aliquotd join-token')).toBeVisible();
});

test('the parts of a node are fractions of it, and what arrives is hatched', () => {
  const n1 = map.nodes[0]!;
  expect(cpuSegments(n1).map(({ key, fraction, hatched }) => [key, fraction, hatched])).toEqual([['j1/0', 0.25, false], ['j2/0', 0.225, true]]);
  expect(memorySegments(n1).map(({ fraction }) => fraction)).toEqual([83886080 / 2 ** 30, 150994944 / 2 ** 30]);
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

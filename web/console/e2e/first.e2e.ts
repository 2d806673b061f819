import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import { ModelledCluster } from './harness/model';
import { phone, tooWide } from './harness/phone';
import { settled, walk } from './harness/walk';
import { pagesOf } from './pages';

let browser: Browser;
let cluster: ModelledCluster;

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(0, 0)]);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

// The login page comes last, because a visitor of that page is no longer logged in.
const pages = [...pagesOf('j1', 'n1').filter(({ name }) => name !== 'job' && name !== 'node'), { name: 'login', path: '/login', prepare: logOut }];

async function logOut(page: Page) {
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('textbox', { name: 'Token' }).waitFor();
}

describe('the console of a manager to which no node has joined and no job was submitted', () => {
  test.each([
    ['/', 'no node has joined yet, so no job can run', 'First steps'],
    ['/jobs', 'There are no jobs yet', 'aliquot job submit'],
    ['/nodes', 'No node has joined yet', 'aliquotd monitor --managers'],
    ['/plan', 'No beneficial move', 'Plan again'],
    ['/timeline', 'Nothing ran then', 'Choose another time'],
    ['/simulate', 'Nothing has been simulated yet', 'Start with the live jobs'],
  ])('%s says that there is nothing, and what to do', async (address, what, then) => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open(address);
    await settled(visit);
    const main = visit.page.locator('main');
    await main.getByText(what, { exact: false }).first().waitFor();
    await main.getByText(then, { exact: false }).first().waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the form of a job says that it would wait for a node', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs/submit');
    await visit.page.getByRole('textbox', { name: 'Command' }).fill('true');
    await visit.page.locator('main').getByText('none has joined yet', { exact: false }).first().waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('an address of a job or a node that is not there says so', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs/j1');
    await visit.page.getByRole('alert').getByText('There is no job j1', { exact: false }).waitFor();
    await visit.open('/nodes/n1');
    await visit.page.getByRole('alert').getByText('There is no node with that name', { exact: false }).waitFor();
    await visit.end();
  });

  test('every page is accessible', async () => {
    expect(await walk(browser, cluster, pages, 'empty', ['light', 'dark'])).toEqual({});
  });

  test('no page is wider than a phone', async () => {
    const visit = await Visit.begin(browser, cluster, phone);
    for (const { name, path, prepare } of pages) {
      await visit.open(path);
      await prepare?.(visit.page);
      await settled(visit);
      expect(await tooWide(visit.page), name).toEqual([]);
    }
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('an image is pushed from the browser, and jobs can name it', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/images');
    await page.getByRole('button', { name: 'Push an image' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push an image' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('mine');
    const files = dialog.locator('input[type="file"]');
    await files.nth(0).setInputFiles({ name: 'vmlinuz', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 'k') });
    await files.nth(1).setInputFiles({ name: 'initrd.img', mimeType: 'application/octet-stream', buffer: Buffer.alloc(20_000_001, 'i') });
    await dialog.getByRole('textbox', { name: 'Kernel command line' }).fill('quiet');
    await dialog.getByRole('button', { name: /^Push 21\.9 MiB/ }).click();
    await dialog.getByText('The image mine is pushed').waitFor();
    const { images } = await cluster.ask<{ images: { name: string; reference: string; sizeBytes: number; cmdline: string }[] }>('/v1/images');
    const pushed = images.find((image) => image.name === 'mine')!;
    expect(pushed).toMatchObject({ sizeBytes: 23_000_001, cmdline: 'quiet' });
    await dialog.getByText(pushed.reference).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Remove ${pushed.reference}` }).waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a refused image says why', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/images');
    await page.getByRole('button', { name: 'Push an image' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push an image' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Bad name');
    await dialog.getByText('Lower-case letters and digits', { exact: false }).waitFor();
    await page.route('**/v1/images?name=*', (route) => route.abort('connectionreset'));
    await dialog.getByRole('textbox', { name: 'Name' }).fill('good');
    const files = dialog.locator('input[type="file"]');
    for (const i of [0, 1]) await files.nth(i).setInputFiles({ name: 'file', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });
    await dialog.getByRole('button', { name: /^Push / }).click();
    await dialog.getByText('The image was not pushed').waitFor();
    await dialog.getByText('The manager does not answer', { exact: false }).waitFor();
    await visit.end();
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import { ModelledCluster } from './harness/model';

let browser: Browser;
let cluster: ModelledCluster;

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(1, 0)]);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('the form of a job', () => {
  test('brings a script along', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/jobs/submit');
    await page.getByRole('textbox', { name: 'Command' }).fill('sh work.sh');
    await page.getByRole('button', { name: /^Environment, files/ }).click();
    const chooser = page.locator('input[type="file"][aria-label="Files to bring"]');
    await chooser.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(65537, 'x') });
    await page.getByText('large.txt is larger than 64 KiB', { exact: false }).waitFor();
    await chooser.setInputFiles({ name: 'work.sh', mimeType: 'text/x-sh', buffer: Buffer.from('echo done\n') });
    await page.getByText('work.sh, 10 B').waitFor();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.waitForURL(/\/jobs\/j\d+$/);
    const job = await cluster.job(page.url().split('/').at(-1)!);
    expect(job.spec.files).toEqual({ 'work.sh': 'echo done\n' });
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });
});

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession, type Page } from 'playwright-core';
import type { Cluster } from './cluster';

// The last option keeps Chromium from sending DNS queries of its own.
const options = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: false,
  args: ['--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings',
    '--disable-domain-reliability', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
};

export type Scheme = 'light' | 'dark';

export function launch(): Promise<Browser> {
  return chromium.launch(options);
}

/** Opens a profile whose waits end late enough for a machine that is busy with other work, and before the test's. */
export async function profile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  return context;
}

/** Visit is one user's visit to the console, with everything that went wrong during it. */
export class Visit {
  /** Problems that must not occur, in words. */
  readonly trouble: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly devtools: CDPSession,
    readonly origin: string,
  ) {}

  /** Opens the console with a one-time address. */
  static async begin(browser: Browser, cluster: Cluster, { scheme = 'light' as Scheme, width = 1280, height = 800, zone = 'UTC', url = cluster.url } = {}): Promise<Visit> {
    const context = await profile(browser, { viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce', timezoneId: zone, locale: 'en-GB' });
    const page = await context.newPage();
    const visit = new Visit(context, page, await context.newCDPSession(page), url);
    await visit.watch();
    await page.goto(await cluster.loginAddress(url));
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    return visit;
  }

  private async watch() {
    await this.page.exposeFunction('aliquotTrouble', (what: string) => this.trouble.push(what));
    await this.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report = (window as unknown as { aliquotTrouble: (what: string) => void }).aliquotTrouble;
        report(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
      });
    });
    this.page.on('pageerror', (error) => this.trouble.push(`an error that nobody caught: ${error.message}`));
    this.page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== this.origin && protocol !== 'data:' && protocol !== 'blob:') this.trouble.push(`something from elsewhere was asked for: ${request.url()}`);
    });
    this.page.on('response', (response) => {
      if (response.status() >= 500) this.trouble.push(`${response.request().method()} ${response.url()} was answered with ${response.status()}`);
    });
  }

  /** Goes to a page by its address and waits until it shows its title. */
  async open(path: string) {
    await this.page.goto(this.origin + path);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
  }

  /** Returns the size of the page's heap after a garbage collection, in MiB. */
  async heap(): Promise<number> {
    await this.devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.devtools.send('Runtime.getHeapUsage');
    return usedSize / (1 << 20);
  }

  /**
   * Returns a picture of the page as WebP, of less than 100 kB if possible. It includes the part below the window
   * unless a dialog is open.
   */
  async picture(): Promise<Buffer> {
    const window = this.page.viewportSize()!;
    const dialog = await this.page.getByRole('dialog').count();
    const { cssContentSize: whole } = await this.devtools.send('Page.getLayoutMetrics');
    const height = dialog > 0 ? window.height : Math.min(whole.height, 2 * window.width + 1000);
    // The window is made as high as the picture, because the part outside it is drawn while the page is laid out anew.
    await this.page.setViewportSize({ ...window, height });
    await this.page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
    const picture = await this.capture(window.width, height);
    await this.page.setViewportSize(window);
    return picture;
  }

  /** A picture of more than 200 kB even in poor quality is reduced to its upper half. */
  private async capture(width: number, height: number, quality = 82): Promise<Buffer> {
    const { data } = await this.devtools.send('Page.captureScreenshot', { format: 'webp', quality, clip: { x: 0, y: 0, width, height, scale: 1 } });
    const picture = Buffer.from(data, 'base64');
    if (picture.length < 100_000) return picture;
    if (quality >= 40) return this.capture(width, height, quality - 12);
    return picture.length > 200_000 ? this.capture(width, height / 2, quality) : picture;
  }

  async end() {
    await this.context.close();
  }
}

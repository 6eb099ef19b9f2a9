import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Debian and others put it; `CHROMIUM` names another. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real browser, which talks to nobody of its own accord. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('these tests need Chromium: apt-get install chromium, or name another in CHROMIUM');
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

/** A page, and everything that it should not have done. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests but for the file itself, errors, and whatever it said on its console. */
  readonly complaints: readonly string[];
}

/** Opens a file from the disk, without a network. */
export async function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<WatchedPage> {
  const { hash = '', ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...rest });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const address = pathToFileURL(path).href;
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address + hash);
  return { page, complaints };
}

/** Keeps what a page looks like where somebody wants to look: in the folder that `SCREENSHOTS` names. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

// A browser, the explorer in it and the service behind it; and a list of everything that a page must never do.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import { openBrowser } from '../support/browser.ts';
import { type Explorer, type PageConfig, startExplorer } from '../support/explorer.ts';
import { ServerProcess } from '../support/server-process.ts';

export type Row = Readonly<Record<string, string | number | null>> & { readonly symbol: string };

export class Site {
  readonly browser: Browser;
  readonly #service: ServerProcess;
  readonly #explorers = new Map<string, Explorer>();
  readonly #folder: string;
  /** Errors of scripts, breaches of the content policy, requests to other hosts, keys in addresses. */
  readonly #misdeeds: string[] = [];

  /** The demo's store, or one that `args` name. */
  static async start(...args: readonly string[]): Promise<Site> {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-site-'));
    const demo = ['--demo', '--store', `sqlite:${join(folder, 'demo.db')}`];
    const [service, browser] = await Promise.all([
      ServerProcess.start(...(args.length === 0 ? demo : args)),
      openBrowser(),
    ]);
    return new Site(service, browser, folder);
  }

  private constructor(service: ServerProcess, browser: Browser, folder: string) {
    this.#service = service;
    this.browser = browser;
    this.#folder = folder;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await Promise.all([...this.#explorers.values()].map(each => each.close()));
    await this.#service.stop();
    await rm(this.#folder, { recursive: true });
  }

  /** A page in a context of its own, at a path of the demo; with `demoKey: null`, of an installation that asks for a key. */
  async open(path: string, options: BrowserContextOptions = {}, config: Partial<PageConfig> = {}): Promise<Page> {
    const { url } = await this.explorer(config);
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    this.#watch(page, url);
    await page.goto(url + path);
    return page;
  }

  async explorer(changes: Partial<PageConfig> = {}): Promise<Explorer> {
    const config = { group: 'crypto', demoKey: DEMO_KEYS.pro, open: false, ...changes };
    const id = JSON.stringify(config);
    const explorer = this.#explorers.get(id) ?? (await startExplorer(this.#service.url, config));
    this.#explorers.set(id, explorer);
    return explorer;
  }

  #watch(page: Page, url: string): void {
    page.on('pageerror', error => this.#misdeeds.push(`script: ${error.stack}`));
    page.on('console', message => {
      // The browser notes every answer that is an error; tests provoke them.
      const answered = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !answered) this.#misdeeds.push(`console: ${message.text()}`);
    });
    page.on('request', request => {
      const address = request.url();
      if (!address.startsWith(`${url}/`) && !address.startsWith('blob:')) this.#misdeeds.push(`elsewhere: ${address}`);
      if (/tdm_|api_key/.test(address)) this.#misdeeds.push(`a key in an address: ${address}`);
    });
  }

  /** After each test: a page that nobody looks at still works. */
  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map(context => context.close()));
  }

  assertNoMisdeeds(): void {
    assert.deepEqual(this.#misdeeds, []);
  }

  /** What the service itself says, asked without the page. */
  async rows(query: string): Promise<readonly Row[]> {
    return JSON.parse(await this.text(`/v1/crypto/ta-cur?${query}`)).result;
  }

  async text(path: string): Promise<string> {
    const answer = await fetch(this.#service.url + path, { headers: { 'x-api-key': DEMO_KEYS.pro } });
    assert.equal(answer.status, 200, path);
    return await answer.text();
  }
}

/** The tickers of the table's first rows. */
export async function tickers(page: Page, count: number): Promise<string[]> {
  await page.locator('.table-box:not(.stale) tbody a b').first().waitFor();
  return (await page.locator('tbody a b').allTextContents()).slice(0, count);
}

/** Waits until the table's first rows are those of these API rows, in this order. */
export async function expectRows(page: Page, rows: readonly Row[], count = 12): Promise<void> {
  const wanted = rows.slice(0, count).map(row => row.symbol);
  await waitFor(async () => assert.deepEqual(await tickers(page, wanted.length), wanted));
}

/** Tries again until it holds: a page needs a moment after a click. */
export async function waitFor(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

// A browser, and the service whose explorer it opens; and a list of everything that a page must never do.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_KEYS, hashOf } from '../../../src/domain/api-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { openBrowser } from '../../support/browser.ts';
import { copyDemoStore } from '../../support/demo-store.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { Visitors } from './visitors.ts';

export type Row = Readonly<Record<string, string | number | null>> & { readonly symbol: string };

export interface OpenOptions extends BrowserContextOptions {
  /** Before the page is asked for. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const VIEWPORT = { width: 1280, height: 800 };
/** A page takes seconds for what is usually there at once, on a machine that others use too. */
const TIMEOUT_MS = 60_000;

/** The demo, or the same assets and keys in an installation that asks for a key. */
export type Installation = 'demo' | 'keys';

/** A browser and services, which the test files in one process share. */
class Shared {
  /** Of the files that use it now. */
  static #current: { readonly shared: Promise<Shared>; users: number } | null = null;

  readonly browser: Browser;
  readonly visitors: Visitors;
  readonly #folder: string;
  /** Started when a page is opened there. */
  readonly #services = new Map<Installation, Promise<ServerProcess>>();

  static use(): Promise<Shared> {
    Shared.#current ??= { shared: Shared.start(), users: 0 };
    Shared.#current.users++;
    return Shared.#current.shared;
  }

  static async start(): Promise<Shared> {
    const [browser, folder] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), 'tidemark-site-'))]);
    return new Shared(browser, folder);
  }

  private constructor(browser: Browser, folder: string) {
    this.browser = browser;
    this.visitors = new Visitors(browser);
    this.#folder = folder;
  }

  /** The last of those who use it closes it. */
  async release(): Promise<void> {
    const current = Shared.#current;
    if (current !== null && --current.users > 0) return;
    Shared.#current = null;
    await this.browser.close();
    await Promise.all([...this.#services.values()].map(async service => (await service).stop()));
    await rm(this.#folder, { recursive: true });
  }

  service(installation: Installation): Promise<ServerProcess> {
    const service = this.#services.get(installation) ?? this.#startDemo(installation);
    this.#services.set(installation, service);
    return service;
  }

  async #startDemo(installation: Installation): Promise<ServerProcess> {
    // A store for each: servers of one store share what its keys may ask for.
    const path = join(this.#folder, `${installation}.db`);
    const store = `sqlite:${path}`;
    await copyDemoStore(path);
    if (installation === 'demo') return await startService('--demo', '--store', store);
    await createKeys(store);
    return await startService('--store', store);
  }
}

export class Site {
  readonly #shared: Shared;
  /** In place of the demo. */
  readonly #own: ServerProcess | null;
  /** Errors of scripts, breaches of the content policy, requests to other hosts, keys in addresses. */
  readonly #misdeeds: string[] = [];

  /** In place of the demo, the service that `args` name. */
  static async start(...args: readonly string[]): Promise<Site> {
    const [shared, own] = await Promise.all([Shared.use(), args.length > 0 ? startService(...args) : null]);
    return new Site(shared, own);
  }

  private constructor(shared: Shared, own: ServerProcess | null) {
    this.#shared = shared;
    this.#own = own;
  }

  get browser(): Browser {
    return this.#shared.browser;
  }

  async close(): Promise<void> {
    await Promise.all([this.#shared.release(), this.#own?.stop()]);
  }

  /** `http://127.0.0.1:PORT`. */
  async url(installation: Installation = 'demo'): Promise<string> {
    if (installation === 'demo' && this.#own !== null) return this.#own.url;
    return (await this.#shared.service(installation)).url;
  }

  /** A page of a visitor who has never been here. */
  async open(path: string, options: OpenOptions = {}, installation: Installation = 'demo'): Promise<Page> {
    const { prepare, viewport = VIEWPORT, colorScheme = 'light', reducedMotion = 'no-preference', ...rest } = options;
    const url = await this.url(installation);
    // Other options are those of a context, so they need one of their own.
    const context = await (Object.keys(rest).length === 0
      ? this.#shared.visitors.take(url)
      : this.browser.newContext(rest));
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.setDefaultNavigationTimeout(TIMEOUT_MS);
    await Promise.all([viewport && page.setViewportSize(viewport), page.emulateMedia({ colorScheme, reducedMotion })]);
    this.#watch(page, url);
    await prepare?.(page);
    await page.goto(url + path);
    return page;
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

  /** After each test: a page in the background still works. */
  async closePages(): Promise<void> {
    const { visitors } = this.#shared;
    const others = this.browser.contexts().filter(context => !visitors.has(context));
    await Promise.all([visitors.leave(), ...others.map(context => context.close())]);
  }

  assertNoMisdeeds(): void {
    assert.deepEqual(this.#misdeeds, []);
  }

  /** What the service itself says, asked without the page. */
  async rows(query: string): Promise<readonly Row[]> {
    return JSON.parse(await this.text(`/v1/crypto/ta-cur?${query}`)).result;
  }

  /** A busy service may put a request off: it is asked again when it says so. */
  async text(path: string, attempts = 10): Promise<string> {
    const answer = await fetch((await this.url()) + path, { headers: { 'x-api-key': DEMO_KEYS.pro } });
    const later = answer.headers.get('retry-after');
    const body = await answer.text();
    if (answer.status === 503 && later !== null && attempts > 1) {
      await sleep(Number(later) * 1000);
      return await this.text(path, attempts - 1);
    }
    assert.equal(answer.status, 200, `${path}: ${body}`);
    return body;
  }
}

/** One thread answers one person fast enough, and starts sooner than two. */
function startService(...args: readonly string[]): Promise<ServerProcess> {
  return ServerProcess.start('--workers', '1', ...args);
}

/** The keys that `serve --demo` makes for itself. */
async function createKeys(url: string): Promise<void> {
  const store = await openStore(url);
  for (const [tier, key] of Object.entries(DEMO_KEYS)) {
    await store.createKey({ id: `key_${tier}`, hash: hashOf(key), tier, name: tier, expires: null });
  }
  await store.close();
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
  const end = Date.now() + TIMEOUT_MS;
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

// What the tests of the asset page share: the explorer over the real demo service, pages in a real browser, and the API's own
// answers to compare them with.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { DEMO_KEYS } from '../../src/domain/api-key.ts';
import { openBrowser } from '../support/browser.ts';
import { startExplorer } from '../support/explorer.ts';
import { ServerProcess } from '../support/server-process.ts';

export type Row = Readonly<Record<string, string | number | boolean | null>>;

export interface Profile {
  readonly description: string;
  readonly proof_type: string;
  readonly hash_algorithm: string;
  readonly org_structure: string;
  readonly development_status: string;
  readonly started_at: string;
  readonly tags: readonly { readonly name: string }[];
  readonly team: readonly { readonly name: string; readonly position: string }[];
  readonly links_extended: readonly { readonly url: string; readonly stats?: Readonly<Record<string, number>> }[];
}

export interface OpenOptions {
  /** Of the address, with its question mark. */
  readonly search?: string;
  /** Entered by the person, instead of the demo's. */
  readonly key?: string;
  readonly context?: BrowserContextOptions;
  /** Before the page is asked for. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export class AssetSite {
  readonly #service: ServerProcess;
  readonly #explorer: Awaited<ReturnType<typeof startExplorer>>;
  readonly #browser: Browser;
  readonly #folder: string;
  #context: BrowserContext | null = null;
  /** What pages complained about: errors of scripts, and what the Content-Security-Policy stopped. */
  readonly complaints: string[] = [];
  /** Addresses outside the explorer that pages asked for. */
  readonly strangers: string[] = [];

  static async start(): Promise<AssetSite> {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-asset-'));
    const store = `sqlite:${join(folder, 'demo.db')}`;
    const [service, browser] = await Promise.all([ServerProcess.start('--demo', '--store', store), openBrowser()]);
    const explorer = await startExplorer(service.url, { group: 'crypto', demoKey: DEMO_KEYS.pro, open: false });
    return new AssetSite(service, explorer, browser, folder);
  }

  private constructor(
    service: ServerProcess,
    explorer: Awaited<ReturnType<typeof startExplorer>>,
    browser: Browser,
    folder: string,
  ) {
    this.#service = service;
    this.#explorer = explorer;
    this.#browser = browser;
    this.#folder = folder;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#explorer.close();
    await this.#service.stop();
    await rm(this.#folder, { recursive: true });
  }

  /** The page of an asset, in a context of its own, once its heading is there; the page before is closed. */
  async open(id: string, options: OpenOptions = {}): Promise<Page> {
    await this.#context?.close();
    this.#context = await this.#browser.newContext(options.context);
    const page = await this.#context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', error => this.complaints.push(String(error)));
    page.on('console', message => {
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) this.complaints.push(message.text());
    });
    page.on('request', request => {
      if (!request.url().startsWith(this.#explorer.url)) this.strangers.push(request.url());
    });
    if (options.key !== undefined) {
      await page.addInitScript(key => sessionStorage.setItem('tidemark-key', key), options.key);
    }
    await options.prepare?.(page);
    await page.goto(`${this.#explorer.url}/asset/${id}${options.search ?? ''}`);
    await page.locator('h1').waitFor();
    return page;
  }

  /** The row of the latest day. */
  async latest(id: string): Promise<Row> {
    return (await this.#rows(`ta-hist?id=${id}&limit=1`))[0]!;
  }

  /** The thousand latest days and those before, newest first. */
  async history(id: string): Promise<readonly Row[]> {
    const pages = [1, 2].map(page => this.#rows(`ta-hist?id=${id}&limit=1000&page=${page}`));
    return (await Promise.all(pages)).flat();
  }

  /** The first asset of the list for which this holds. */
  async find(holds: (asset: Row) => boolean): Promise<Row> {
    const asset = (await this.#rows('assets?limit=1000')).find(holds);
    if (asset === undefined) throw new Error('the demo has no such asset');
    return asset;
  }

  profile(id: string): Promise<Profile> {
    return this.#get(`crypto/assets/${id}`);
  }

  /** By column. */
  async formulas(): Promise<ReadonlyMap<string, string>> {
    const { datasets } = await this.#get<{
      datasets: readonly { name: string; columns: readonly { name: string; formula?: string }[] }[];
    }>('catalog');
    const columns = datasets.find(dataset => dataset.name === 'ta-hist')?.columns ?? [];
    return new Map(columns.flatMap(({ name, formula }) => (formula === undefined ? [] : [[name, formula]])));
  }

  async #rows(request: string): Promise<readonly Row[]> {
    return (await this.#get<{ result: readonly Row[] }>(`crypto/${request}`)).result;
  }

  async #get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${this.#service.url}/v1/${path}`, { headers: { 'x-api-key': DEMO_KEYS.pro } });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Body; // the contract tests hold the service to it
  }
}

/** The number that a text shows: `−1 234.5%` is -1234.5, `0.0₈12345` is 1.2345e-9. */
export function shownNumber(text: string): number {
  const plain = text
    .replace(/[₀-₉]+/, digits => '0'.repeat(Number([...digits].map(digit => '₀₁₂₃₄₅₆₇₈₉'.indexOf(digit)).join('')) - 1))
    .replaceAll(/[\s%]/g, '')
    .replace('−', '-');
  return plain === '' ? Number.NaN : Number(plain);
}

// What the tests of the asset page share: how to open it, how to read it, and the API's own answers to compare it with.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OpenOptions, Site } from './site.ts';

export type Cells = Readonly<Record<string, string | number | boolean | null>>;

export interface AssetOptions extends OpenOptions {
  /** Of the address, with its question mark. */
  readonly search?: string;
}

/** The page of an asset, once its heading is there. */
export async function openAsset(site: Site, id: string, options: AssetOptions = {}): Promise<Page> {
  const { search = '', ...rest } = options;
  const page = await site.open(`/asset/${id}${search}`, rest);
  await page.locator('h1').waitFor();
  return page;
}

/** The day, the price and whatever else the chart's legend shows, by label. */
export async function legend(page: Page): Promise<ReadonlyMap<string, string>> {
  const pairs = await page.locator('.chart-legend > div').evaluateAll(elements =>
    elements.map((element): [string, string] => {
      const textOf = (name: string) => element.querySelector(name)?.textContent ?? '';
      return [textOf('dt'), textOf('dd')];
    }),
  );
  return new Map(pairs);
}

/** A figure is shown with four digits or more, a percentage or a number of thousands and the like with two decimals. */
export function assertShows(text: string, expected: unknown, message = ''): void {
  assert.ok(typeof expected === 'number', `${message}: the API has ${expected}, not a number`);
  const decimals = /[%KMBT]/.test(text) ? 0.00501 * unitOf(text) : 0;
  const allowed = Math.max(Math.abs(expected) * 5.1e-4, decimals);
  assert.ok(Math.abs(shownNumber(text) - expected) <= allowed, `${message} is shown as ${text} for ${expected}`);
}

/** `−1,234.5%` is -1234.5, `0.0₈12345` is 1.2345e-9, `245.6 K` is 245600. */
function shownNumber(text: string): number {
  const plain = text
    .replace(/[₀-₉]+/, digits => '0'.repeat(Number(digits.normalize('NFKD')) - 1))
    .replaceAll(/[\s%,KMBT]/g, '')
    .replace('−', '-');
  return plain === '' ? Number.NaN : Number(plain) * unitOf(text);
}

/** 1000 of `1.5 K`, 1 without a letter. */
function unitOf(text: string): number {
  return 1000 ** ('KMBT'.indexOf(text.at(-1)!) + 1);
}

/** The row of the latest day. */
export async function latestRow(site: Site, id: string): Promise<Cells> {
  return (await rows(site, `ta-hist?id=${id}&limit=1&incl_cols=all`))[0]!;
}

const knownDays = new Map<string, Promise<readonly Cells[]>>();

/** Every day that the demo has, newest first. Asked for once: the demo of these tests does not change. */
export function allDays(site: Site, id: string): Promise<readonly Cells[]> {
  const days = knownDays.get(id) ?? readDays(site, id);
  knownDays.set(id, days);
  return days;
}

async function readDays(site: Site, id: string): Promise<readonly Cells[]> {
  const pages = [1, 2, 3].map(page => rows(site, `ta-hist?id=${id}&limit=1000&page=${page}&incl_cols=all`));
  return (await Promise.all(pages)).flat();
}

/** The first asset of the list for which this holds. */
export async function findAsset(site: Site, holds: (asset: Cells) => boolean): Promise<Cells> {
  const asset = (await rows(site, 'assets?limit=1000')).find(holds);
  assert.ok(asset, 'the demo has such an asset');
  return asset;
}

async function rows(site: Site, request: string): Promise<readonly Cells[]> {
  return JSON.parse(await site.text(`/v1/crypto/${request}`)).result;
}

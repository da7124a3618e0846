// Saved screens and watchlists, kept in this browser. As JSON they move to another one.

import { signal } from '@preact/signals';

export interface Screen {
  readonly name: string;
  /** Of the page, such as `/?where=…`. */
  readonly address: string;
}

export interface Watchlist {
  readonly name: string;
  /** Tickers. */
  readonly symbols: readonly string[];
}

export interface Saved {
  readonly screens: readonly Screen[];
  readonly watchlists: readonly Watchlist[];
}

const SLOT = 'tidemark-saved';
/** The one that a star fills, if there is no other. */
export const FIRST_LIST = 'Watchlist';

export const saved = signal<Saved>(stored());

function stored(): Saved {
  return parseSaved(localStorage.getItem(SLOT) ?? '') ?? { screens: [], watchlists: [] };
}

function keep(next: Saved): void {
  saved.value = next;
  localStorage.setItem(SLOT, JSON.stringify(next));
}

/** Null if the text is not what `savedJson` wrote. */
export function parseSaved(text: string): Saved | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || !Array.isArray(value['screens']) || !Array.isArray(value['watchlists'])) return null;
  const screens = value['screens'].flatMap(each =>
    isRecord(each) && isName(each['name']) && isAddress(each['address'])
      ? [{ name: each['name'], address: each['address'] }]
      : [],
  );
  const watchlists = value['watchlists'].flatMap(each => {
    const symbols: unknown = isRecord(each) ? each['symbols'] : null;
    if (!isRecord(each) || !isName(each['name']) || !Array.isArray(symbols)) return [];
    return [{ name: each['name'], symbols: symbols.filter(isName) }];
  });
  return { screens, watchlists };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 200;
}

/** An address of the screener: a file from elsewhere must not lead to another site. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^\/(\?|$)/.test(value);
}

export function savedJson(): string {
  return JSON.stringify(saved.value, null, 2);
}

/** What has the name of something saved replaces it. Returns how many were read; null if the text is not of this form. */
export function importSaved(text: string): number | null {
  const read = parseSaved(text);
  if (read === null) return null;
  keep({
    screens: merged(saved.value.screens, read.screens),
    watchlists: merged(saved.value.watchlists, read.watchlists),
  });
  return read.screens.length + read.watchlists.length;
}

function merged<T extends { readonly name: string }>(old: readonly T[], added: readonly T[]): readonly T[] {
  return [...old.filter(each => !added.some(({ name }) => name === each.name)), ...added];
}

export function saveScreen(screen: Screen): void {
  keep({ ...saved.value, screens: merged(saved.value.screens, [screen]) });
}

export function saveWatchlist(watchlist: Watchlist): void {
  keep({ ...saved.value, watchlists: merged(saved.value.watchlists, [watchlist]) });
}

export function removeSaved(kind: keyof Saved, name: string): void {
  keep({ ...saved.value, [kind]: saved.value[kind].filter(each => each.name !== name) });
}

/** The watchlist that stars fill: the one that was changed last. */
export function currentList(): Watchlist {
  return saved.value.watchlists.at(-1) ?? { name: FIRST_LIST, symbols: [] };
}

export function toggleStar(symbol: string): void {
  const { name, symbols } = currentList();
  const next = symbols.includes(symbol) ? symbols.filter(each => each !== symbol) : [...symbols, symbol];
  saveWatchlist({ name, symbols: next });
}

// Screens that this browser watches, and what was noticed: kept in the browser only, nothing is written on the server.

import { signal } from '@preact/signals';

export type WatchDirection = 'enter' | 'leave' | 'both';

export interface Watch {
  /** No two have the same. */
  readonly name: string;
  /** The query of the screener's address, such as `?where=…`. */
  readonly search: string;
  readonly on: WatchDirection;
  readonly paused: boolean;
}

export interface Notice {
  /** ISO time. */
  readonly at: string;
  /** Name of the watch. */
  readonly watch: string;
  readonly title: string;
  readonly text: string;
  /** Of the screen. */
  readonly address: string;
}

const WATCHES = 'tidemark-watches';
const NOTICES = 'tidemark-notices';
const MOST_NOTICES = 50;

export const watches = signal<readonly Watch[]>(parseWatches(localStorage.getItem(WATCHES)));
/** The newest first. */
export const notices = signal<readonly Notice[]>(parseNotices(localStorage.getItem(NOTICES)));
/** Notices since the alerts page was last open. */
export const unseen = signal(0);

// Another tab of this browser has changed them.
addEventListener('storage', ({ key, newValue }) => {
  if (key === WATCHES) watches.value = parseWatches(newValue);
  if (key === NOTICES) notices.value = parseNotices(newValue);
});

/** Takes the place of one with the same name. */
export function saveWatch(watch: Watch): void {
  const at = watches.value.findIndex(({ name }) => name === watch.name);
  keepWatches(at < 0 ? [...watches.value, watch] : watches.value.with(at, watch));
}

export function removeWatch(name: string): void {
  keepWatches(watches.value.filter(each => each.name !== name));
}

function keepWatches(next: readonly Watch[]): void {
  watches.value = next;
  localStorage.setItem(WATCHES, JSON.stringify(next));
}

export function addNotice(notice: Notice): void {
  notices.value = [notice, ...notices.value].slice(0, MOST_NOTICES);
  localStorage.setItem(NOTICES, JSON.stringify(notices.value));
  unseen.value++;
}

function parseWatches(text: string | null): readonly Watch[] {
  return listIn(text).flatMap(each => {
    const { name, search, on, paused } = each;
    if (typeof name !== 'string' || typeof search !== 'string') return [];
    return [{ name, search, on: on === 'leave' || on === 'both' ? on : 'enter', paused: paused === true }];
  });
}

function parseNotices(text: string | null): readonly Notice[] {
  return listIn(text).flatMap(each => {
    const [at, watch, title, words, address] = ['at', 'watch', 'title', 'text', 'address'].map(name =>
      String(each[name] ?? ''),
    );
    return [{ at: at!, watch: watch!, title: title!, text: words!, address: address! }]; // five names, five texts
  });
}

/** What is stored may be of another version, or changed by hand. */
function listIn(text: string | null): readonly Readonly<Record<string, unknown>>[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(each => typeof each === 'object' && each !== null) : [];
  } catch {
    return [];
  }
}

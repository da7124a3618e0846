// The page that the address names, and navigation between pages without a reload.

import { computed, signal } from '@preact/signals';
import { dayOrNull, withDay } from './day.ts';

export type Route =
  | { readonly page: 'screener'; readonly search: string }
  | { readonly page: 'map' | 'alerts'; readonly search: string }
  | { readonly page: 'asset'; readonly id: string; readonly search: string }
  | { readonly page: 'unknown' };

export const route = signal<Route>(routeOf(location));

export function routeOf({ pathname, search }: { readonly pathname: string; readonly search: string }): Route {
  if (pathname === '/') return { page: 'screener', search };
  if (pathname === '/map') return { page: 'map', search };
  if (pathname === '/alerts') return { page: 'alerts', search };
  const id = /^\/asset\/([^/]+)$/.exec(pathname)?.[1];
  return id === undefined ? { page: 'unknown' } : { page: 'asset', id: decoded(id), search };
}

/** The address of the screener as it was last shown, with its filters. */
export const screenerAddress = signal('/');

function show(at: Route): void {
  if (at.page === 'screener') screenerAddress.value = `/${at.search}`;
  route.value = at;
}

/** The past day whose market all pages show, by the address (`as_of`); null: the newest closes. */
export const asOfDay = computed<string | null>(() =>
  'search' in route.value ? dayOrNull(new URLSearchParams(route.value.search).get('as_of')) : null,
);

/** The same page on another day. */
export function goToDay(day: string | null): void {
  replaceAddress(withDay(location.pathname + location.search, day));
}

/** On the day that is shown. `id` is a slug, or a ticker that one asset has. */
export function assetAddress(id: string): string {
  return withDay(`/asset/${encodeURIComponent(id.toLowerCase())}`, asOfDay.value);
}

export function goTo(address: string): void {
  const before = route.value.page;
  history.pushState(null, '', address);
  show(routeOf(location));
  if (route.value.page === before) return;
  scrollTo(0, 0);
  // A screen reader announces the new page.
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Changes the address of the page that is shown, without a step in the history. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', address);
  show(routeOf(location));
}

/** Back, forward, and plain clicks on links within the explorer. */
export function followNavigation(): void {
  show(routeOf(location));
  addEventListener('popstate', () => show(routeOf(location)));
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (link === null || modified || event.defaultPrevented || link.target !== '' || link.hasAttribute('download'))
      return;
    if (link.origin !== location.origin || routeOf(link).page === 'unknown' || link.hash !== '') return;
    event.preventDefault();
    goTo(link.pathname + link.search);
  });
}

/** An address typed by hand may hold a stray percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

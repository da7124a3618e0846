// The page that the address names, and navigation between pages without a reload.

import { computed, signal } from '@preact/signals';
import { momentOrNull, withDay, withInterval, withQuote } from './day.ts';
import { type Interval, intervalOf, listedInterval, shownInterval } from './interval.ts';
import { quoteOf, quoteParam, shownQuote } from './quote.ts';

export type Route =
  | { readonly page: 'screener'; readonly search: string }
  | { readonly page: 'map' | 'alerts'; readonly search: string }
  | { readonly page: 'asset'; readonly id: string; readonly search: string }
  | { readonly page: 'unknown' };

export const route = signal<Route>(routeOf(location));
shownInterval.value = intervalIn(route.value);
shownQuote.value = quoteIn(route.value);

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
  shownInterval.value = intervalIn(at);
  shownQuote.value = quoteIn(at);
  if (at.page === 'screener') screenerAddress.value = `/${at.search}`;
  route.value = at;
}

/** Only the chart of an asset has months. */
function intervalIn(at: Route): Interval {
  const interval = intervalOf('search' in at ? new URLSearchParams(at.search).get('interval') : null);
  return at.page === 'asset' ? interval : listedInterval(interval);
}

function quoteIn(at: Route): string {
  return quoteOf('search' in at ? new URLSearchParams(at.search).get('quote') : null);
}

/** The past day or time whose market all pages show, by the address (`as_of`); null: the newest closes. */
export const asOfMoment = computed<string | null>(() =>
  'search' in route.value
    ? momentOrNull(new URLSearchParams(route.value.search).get('as_of'), shownInterval.value)
    : null,
);

/** The same page at another day or time. */
export function goToMoment(moment: string | null): void {
  replaceAddress(withDay(location.pathname + location.search, moment));
}

/** The same page with another interval. */
export function goToInterval(interval: Interval): void {
  replaceAddress(withInterval(location.pathname + location.search, interval));
}

/** The same page in another quote. */
export function goToQuote(quote: string): void {
  replaceAddress(withQuote(location.pathname + location.search, quoteParam(quote) ?? null));
}

/** The address with the interval, the quote and the day or time that are shown. */
export function atSameTime(address: string): string {
  const moment = withInterval(withDay(address, asOfMoment.value), listedInterval(shownInterval.value));
  return withQuote(moment, quoteParam() ?? null);
}

/** `id` is a slug, or a ticker that one asset has. */
export function assetAddress(id: string): string {
  return atSameTime(`/asset/${encodeURIComponent(id.toLowerCase())}`);
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
    if (link.origin !== location.origin || routeOf(link).page === 'unknown') return;
    // A place on the page that is shown.
    if (link.hash !== '' && link.pathname === location.pathname) return;
    event.preventDefault();
    goTo(link.pathname + link.search + link.hash);
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

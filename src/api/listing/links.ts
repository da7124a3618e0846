// The links to the next and previous page of a listing.

import type { Page } from '../../query/execute/execute.ts';

export interface PageLinks {
  readonly next: string | null;
  readonly prev: string | null;
}

/** What the links to neighbouring pages repeat of the request. */
export interface LinkParts {
  /** Null: the request had none, and all rows are in one page. */
  readonly limit: number | null;
  readonly sort: string;
  readonly order: string;
  /** The request's other parameters. */
  readonly rest: string;
}

/** Page numbers: `next` is null on the last page, `prev` on the first. */
export interface Neighbours {
  readonly next: number | null;
  readonly prev: number | null;
}

/** Past the end, the previous page is the last one with rows. */
export function neighbours(page: Page, number: number, limit: number): Neighbours {
  // Counting the total takes time: an ordinary page knows its neighbours without it.
  const pastTheEnd = page.rows.length === 0 && number > 1;
  const prev = pastTheEnd ? Math.min(number - 1, Math.ceil(page.total / limit)) : number - 1;
  return { next: page.hasNext ? number + 1 : null, prev: prev >= 1 ? prev : null };
}

/** `limit`, `sort`, `order`, `page`, then the rest. */
export function pageLinks(listingUrl: string, parts: LinkParts, { next, prev }: Neighbours): PageLinks {
  const to = (number: number) => {
    const limit = parts.limit === null ? '' : `limit=${parts.limit}&`;
    const start = `${listingUrl}?${limit}sort=${parts.sort}&order=${parts.order}&page=${number}`;
    return parts.rest === '' ? start : `${start}&${parts.rest}`;
  };
  return { next: next === null ? null : to(next), prev: prev === null ? null : to(prev) };
}

/** Most proxies pass 8 kB of headers on; the other headers have some 1,000 bytes. */
const MAX_LINK_LENGTH = 6800;

/** The `Link` header (RFC 8288); undefined if there is nothing to link to. If both links are too long, the first one alone. */
export function linkHeader({ next, prev }: PageLinks): string | undefined {
  const links = [next === null ? null : `<${next}>; rel="next"`, prev === null ? null : `<${prev}>; rel="prev"`];
  const present = links.filter(link => link !== null);
  const both = present.join(', ');
  return both.length > MAX_LINK_LENGTH ? present[0] : both === '' ? undefined : both;
}

// All rows of a listing as one CSV file, fetched page after page with the API key in a header, because a URL must not hold it.

import { ApiError } from '../../client/src/index.ts';
import { type Params, queryString, tidemark } from './api.ts';

/** Pages that one download takes: a small tier's quota is soon used up. */
const MOST_PAGES = 20;
/** More than most tiers allow: the service then says how many rows a page may have. */
const MAX_ROWS_PER_PAGE = 100_000;

export interface CsvFile {
  readonly text: string;
  readonly rows: number;
  /** The listing has further rows. */
  readonly cutOff: boolean;
}

export async function fetchCsv(path: string, params: Params, signal?: AbortSignal): Promise<CsvFile> {
  const parts: string[] = [];
  const pageOf = (limit: number | string) => path + queryString({ ...params, format: 'csv', limit, page: 1 });
  let address: string | null = pageOf(MAX_ROWS_PER_PAGE);
  for (let page = 0; address !== null && page < MOST_PAGES; page++) {
    const { text, next }: CsvPage = await csvPage(address, signal).catch((error: unknown) => {
      const isTooLong = error instanceof ApiError && error.code === 'limit_above_tier';
      if (page > 0 || !isTooLong) throw error;
      return csvPage(pageOf(error.candidates?.[0] ?? ''), signal);
    });
    parts.push(page === 0 ? text : withoutHeader(text));
    address = next;
  }
  const text = parts.join('');
  // No cell of these listings holds a line break.
  return { text, rows: text.trimEnd().split('\n').length - 1, cutOff: address !== null };
}

interface CsvPage {
  readonly text: string;
  readonly next: string | null;
}

/** `address` is a path with its query. */
async function csvPage(address: string, signal?: AbortSignal): Promise<CsvPage> {
  const read = async (response: Response) => {
    const [, next] = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
    return { text: await response.text(), next: next === undefined ? null : ownPath(next) };
  };
  return tidemark.request(address, {}, { signal, headers: { accept: 'text/csv' }, read });
}

/** Links of the API name its public address, which need not be how this page reached it. */
function ownPath(link: string): string {
  const { pathname, search } = new URL(link, location.href);
  return pathname + search;
}

function withoutHeader(csv: string): string {
  return csv.slice(csv.indexOf('\n') + 1);
}

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold of the bytes by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

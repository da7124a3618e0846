// All rows of a listing as one CSV file, fetched page after page with the API key in a header, because a URL must not hold it.

import { type Params, queryString, tidemark } from './api.ts';

/** Pages that one download takes: a small tier's quota is soon used up. */
const MOST_PAGES = 20;
/** Lowered by the service to what the tier allows. */
const MAX_ROWS_PER_PAGE = 100_000;

export interface CsvFile {
  readonly text: string;
  readonly rows: number;
  /** The listing has further rows. */
  readonly cutOff: boolean;
}

export async function fetchCsv(path: string, params: Params, signal?: AbortSignal): Promise<CsvFile> {
  const parts: string[] = [];
  let address: string | null = path + queryString({ ...params, format: 'csv', limit: MAX_ROWS_PER_PAGE, page: 1 });
  for (let page = 0; address !== null && page < MOST_PAGES; page++) {
    const { text, next } = await csvPage(address, signal);
    parts.push(page === 0 ? text : withoutHeader(text));
    address = next;
  }
  const text = parts.join('');
  // No cell of these listings holds a line break.
  return { text, rows: text.trimEnd().split('\n').length - 1, cutOff: address !== null };
}

/** `address` is a path with its query. */
async function csvPage(address: string, signal?: AbortSignal): Promise<{ text: string; next: string | null }> {
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

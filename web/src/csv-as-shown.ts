// A CSV file of the listing as the page shows it: the columns in the order of the table, and the names of the assets, which the
// service's CSV does not have.

import { tidemark } from './api.ts';
import { dayOfMoment } from './day.ts';

/** Tickers per request; an address holds that many easily. */
const AT_ONCE = 400;

/** A cell as it is written, in quotes or without. */
const CELL = /"(?:[^"]|"")*"|[^,]*/y;

export interface Shown {
  /** Besides the asset. Those that the listing does not have are left out. */
  readonly columns: readonly string[];
  /** The past day or time of the listing; null: the newest closes. */
  readonly asOf: string | null;
}

/** `csv` has the columns `datetimeUTC` and `symbol`, and may have more than those that are shown. */
export async function asShown(csv: string, { columns, asOf }: Shown): Promise<string> {
  const [head = [], ...rows] = csv.trimEnd().split('\r\n').map(cellsOf);
  const ticker = head.indexOf('symbol');
  const names = await namesOf(new Set(rows.map(cells => textOf(cells[ticker] ?? ''))), asOf);
  const places = ['datetimeUTC', 'symbol', ...columns].map(name => head.indexOf(name)).filter(place => place >= 0);
  const line = (cells: readonly string[], name: string) => {
    const [day, symbol, ...others] = places.map(place => cells[place]);
    return `${[day, symbol, name, ...others].join()}\r\n`;
  };
  const named = rows.map(cells => line(cells, field(names.get(textOf(cells[ticker] ?? '')) ?? '')));
  return line(head, 'name') + named.join('');
}

async function namesOf(tickers: ReadonlySet<string>, asOf: string | null): Promise<ReadonlyMap<string, string>> {
  const symbols = [...tickers];
  const names = new Map<string, string>();
  for (let at = 0; at < symbols.length; at += AT_ONCE) {
    const some = symbols.slice(at, at + AT_ONCE);
    // Several assets may share a ticker; the listing has the best-ranked active one, which comes last here.
    const order = { sort: 'rank', order: 'desc', as_of: asOf === null ? undefined : dayOfMoment(asOf) };
    const query = { symbol: some.join(), limit: 2 * some.length, ...order };
    const rows = tidemark.rows<{ symbol: string; name: string; is_active: boolean }>('assets', query);
    for await (const { symbol, name, is_active: isActive } of rows) {
      if (isActive || !names.has(symbol)) names.set(symbol, name);
    }
  }
  return names;
}

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    CELL.lastIndex = at;
    const [cell = ''] = CELL.exec(line) ?? [];
    cells.push(cell);
    at += cell.length + 1;
  }
  return cells;
}

function textOf(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** As RFC 4180 has it. What a spreadsheet would run as a formula is text. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

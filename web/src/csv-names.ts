// The names of the assets in a CSV file of the listing, which itself has tickers only.

import { tidemark } from './api.ts';

/** Tickers per request; an address holds that many easily. */
const AT_ONCE = 400;

/** The first two columns of a line: day and ticker. */
const START = /^([^,]*),("(?:[^"]|"")*"|[^,\r\n]*)/;

/** `csv` begins with the columns `datetimeUTC` and `symbol`; the column `name` follows them. */
export async function withNames(csv: string): Promise<string> {
  const [head = '', ...lines] = csv.split('\n');
  const symbols = [...new Set(lines.flatMap(line => tickerIn(line) ?? []))];
  const names = new Map<string, string>();
  for (let at = 0; at < symbols.length; at += AT_ONCE) {
    const some = symbols.slice(at, at + AT_ONCE);
    // Several assets may share a ticker; the listing has the best-ranked active one, which comes last here.
    const query = { symbol: some.join(), limit: 2 * some.length, sort: 'rank', order: 'desc' };
    const rows = tidemark.rows<{ symbol: string; name: string; is_active: boolean }>('assets', query);
    for await (const { symbol, name, is_active: isActive } of rows) {
      if (isActive || !names.has(symbol)) names.set(symbol, name);
    }
  }
  const named = lines.map(line => {
    const ticker = tickerIn(line);
    return ticker === null ? line : line.replace(START, start => `${start},${field(names.get(ticker) ?? '')}`);
  });
  return [head.replace(START, start => `${start},name`), ...named].join('\n');
}

function tickerIn(line: string): string | null {
  const text = START.exec(line)?.[2];
  if (text === undefined) return null;
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** As RFC 4180 has it. What a spreadsheet would run as a formula is text. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

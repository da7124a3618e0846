// The table on top of docs/benchmarks.md: ten results, read out of the sections of both pages, so that no figure is written twice.

interface Headline {
  readonly what: string;
  /** The section that has the figures. */
  readonly bench: string;
  /** Where they are in it; the named groups fill `ours` and `beside`. */
  readonly pattern: RegExp;
  readonly ours: string;
  readonly beside: string;
}

const HEADLINES: readonly Headline[] = [
  {
    what: 'A page of 100 rows over HTTP, sorted and filtered, 10,000 assets',
    bench: 'http',
    pattern:
      /### 100 rows, one question.*?Tidemark\*\* \| (?<rate>[\d,]+).*?Fastify \+ PostgreSQL \| (?<theirs>[\d,]+) \|[^|]*\| (?<ratio>[\d.]+)/s,
    ours: '$<rate> per second',
    beside: 'Fastify with PostgreSQL: $<theirs> per second ($<ratio> ×)',
  },
  {
    what: 'Twenty questions in turn over HTTP, 100,000 assets',
    bench: 'peers',
    pattern:
      /### 100,000 assets.*?\| \*\*Tidemark\*\* \| (?<rate>[\d,]+).*?\n\| Datasette[^|]*\| (?<datasette>[\d,]+).*?\n\| ROAPI[^|]*\| (?<roapi>[\d,]+)/s,
    ours: '$<rate> per second',
    beside: 'Datasette: $<datasette>, ROAPI: $<roapi> per second',
  },
  {
    what: 'A filtered and sorted query on 1,000,000 assets, one thread',
    bench: 'query',
    pattern: /All questions:.*?\| 1,000,000 \| (?<mean>[\d.]+) \| (?<least>[\d.]+) \| (?<p99>[\d.]+ m?s)/s,
    ours: 'p99 $<p99> for the slowest of 50',
    beside: 'DuckDB takes $<mean> × as long (geometric mean), at least $<least> ×',
  },
  {
    what: 'All indicators of 50,000 assets from a year of closes, one thread',
    bench: 'kernel',
    pattern: /### \(a\).*?Tidemark\*\* \| (?<ours>[\d.]+ m?s).*?DuckDB, filtered aggregates \| (?<theirs>[\d.]+ m?s)/s,
    ours: '$<ours>',
    beside: 'DuckDB: $<theirs>',
  },
  {
    what: '3,650,000 bars loaded from CSV into SQLite, every indicator computed',
    bench: 'ingest',
    pattern: /whole-number keys \| (?<theirs>[\d.]+ s).*?\*\*Tidemark, SQLite\*\* \| (?<ours>[\d.]+ s)/s,
    ours: '$<ours>',
    beside: '`sqlite3 .import`, which only stores: $<theirs>',
  },
  {
    what: 'New closes until every serving thread answers with them, 50,000 assets',
    bench: 'refresh',
    pattern: /every thread after \*\*(?<one>[\d.]+ m?s)\*\*, all 50,000 after \*\*(?<all>[\d.]+ m?s)\*\*/,
    ours: 'one close: $<one>, all closes: $<all>',
    beside: '',
  },
  {
    what: 'The listing of any past day, 50,000 assets',
    bench: 'history',
    pattern:
      /first request for a day, median \| (?<first>[\d.]+ m?s).*?later request for a day, median \| (?<later>[\d.]+ m?s)/s,
    ours: 'first request: $<first>, later ones: $<later>',
    beside: '',
  },
  {
    what: 'A publication to 10,000 open streams, from commit to last byte',
    bench: 'streams',
    pattern: /commit to last byte, p99 \| (?<p99>[\d.]+ m?s)/,
    ours: 'p99 $<p99>',
    beside: '',
  },
  {
    what: '1,000,000 rows × 34 columns as Parquet over HTTP, first request',
    bench: 'export',
    pattern:
      /Parquet over HTTP\*\*, first request \| (?<first>[\d.]+ m?s).*?COPY`, two threads \| (?<theirs>[\d.]+ m?s)/s,
    ours: '$<first>',
    beside: 'DuckDB `COPY`, two threads, into a local file: $<theirs>',
  },
  {
    what: 'From the command to the first response, 10,000 assets',
    bench: 'start',
    pattern: /in a SQLite store: \*\*(?<start>[\d.]+ s)\*\*/,
    ours: '$<start>',
    beside: '',
  },
];

/** `sections` by the name of their benchmark. Fails if a section has lost a figure; one that was never measured has no row. */
export function headlineTable(sections: ReadonlyMap<string, string>): string {
  const rows = HEADLINES.flatMap(({ what, bench, pattern, ours, beside }) => {
    const section = sections.get(bench);
    if (section === undefined) return [];
    const found = pattern.exec(section);
    if (found === null) throw new Error(`the section '${bench}' has no figures for the headline '${what}'`);
    const filled = (text: string) => text.replace(/\$<(\w+)>/g, (_, name: string) => found.groups?.[name] ?? '');
    return [`| ${what} | **${filled(ours)}** | ${filled(beside)} |`];
  });
  return ['| what | Tidemark | beside it |', '|---|---|---|', ...rows].join('\n');
}

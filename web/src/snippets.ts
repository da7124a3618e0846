// A request of the API as text to copy: the address of one page, and programs that fetch all rows.

import { type Query as Params, queryString } from '../../client/src/query-string.ts';

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** How a snippet gets the API key: a public key is written out, another one comes from the environment; null if none is needed. */
export type SnippetKey = { readonly literal: string } | 'environment' | null;

export interface SnippetRequest {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  readonly path: string;
  readonly params: Params;
  /** Rows of all pages; null if unknown. */
  readonly rows: number | null;
  /** Rows per page that the tier of the API key certainly gives. */
  readonly pageSize: number;
}

const VARIABLE = 'TIDEMARK_KEY';
/** Lowered by the service to what the tier allows. */
const LIMIT = 1000;

export function snippets(request: SnippetRequest, key: SnippetKey): readonly Snippet[] {
  const { origin, path, params } = request;
  const all = (changes: Params) =>
    origin + path + queryString({ ...params, page: undefined, limit: LIMIT, ...changes });
  return [
    { name: 'URL', text: origin + path + queryString(params) },
    { name: 'curl', text: curl(all({ format: 'ndjson', limit: request.pageSize }), key) },
    { name: 'Python', text: python(all({}), key) },
    { name: 'TypeScript', text: typescript(request, key) },
    { name: 'DuckDB', text: duckdb(request, key) },
  ];
}

/** Follows the links to the next page; the rows of all pages, one JSON object per line. */
function curl(url: string, key: SnippetKey): string {
  const header =
    key === null
      ? ''
      : ` -H ${key === 'environment' ? `"X-API-Key: $${VARIABLE}"` : shellQuoted(`X-API-Key: ${key.literal}`)}`;
  return `url=${shellQuoted(url)}
while [ -n "$url" ]; do
  curl -fsS -D headers.txt${header} "$url" || break
  url=$(grep -io '<[^>]*>; rel="next"' headers.txt | cut -d '>' -f 1 | tr -d '<')
done > rows.ndjson`;
}

function python(url: string, key: SnippetKey): string {
  const value = key === 'environment' ? `os.environ["${VARIABLE}"]` : JSON.stringify(key?.literal);
  const headers = key === null ? '' : `, headers={"X-API-Key": ${value}}`;
  return `import json${key === 'environment' ? ', os' : ''}, urllib.request

url, rows = ${JSON.stringify(url)}, []
while url:
    request = urllib.request.Request(url${headers})
    with urllib.request.urlopen(request) as response:
        page = json.load(response)
    rows += page["result"]
    url = page["next"]
print(len(rows), "rows")
for row in rows[:5]:
    print(row)`;
}

function typescript({ origin, path, params }: SnippetRequest, key: SnippetKey): string {
  const value = key === 'environment' ? `process.env['${VARIABLE}']!` : `'${key?.literal}'`;
  const [, group = '', dataset = ''] = /^\/v1\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const options = [`url: '${origin}'`];
  if (group !== 'crypto') options.push(`group: '${group}'`);
  if (key !== null) options.push(`apiKey: ${value}`);
  const given = Object.entries({ ...params, page: undefined, limit: LIMIT }).filter(([, each]) => {
    return each !== undefined && each !== null && !(Array.isArray(each) && each.length === 0);
  });
  const query = given.map(([name, each]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${JSON.stringify(each)},`);
  return `import { Tidemark } from '@tidemark/client';

const tidemark = new Tidemark({ ${options.join(', ')} });
const rows = tidemark.rows('${dataset}', {
${query.join('\n')}
});
for await (const row of rows) console.log(row);`;
}

/** DuckDB reads a list of addresses, one per page. */
function duckdb({ origin, path, params, rows, pageSize }: SnippetRequest, key: SnippetKey): string {
  const query = queryString({ ...params, page: undefined, format: 'ndjson', limit: pageSize });
  const address = `${origin}${path}${query}&page=`;
  const pages = Math.max(1, Math.ceil((rows ?? 1) / pageSize));
  const literal = key === 'environment' ? 'YOUR_API_KEY' : key?.literal;
  const secret =
    key === null ? '' : `CREATE SECRET tidemark (TYPE http, EXTRA_HTTP_HEADERS MAP {'X-API-Key': '${literal}'});\n`;
  return `${secret}SELECT * FROM read_json(
  list_transform(range(1, ${pages + 1}), page -> ${sqlQuoted(address)} || page),
  format = 'newline_delimited'
);`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function sqlQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

// The questions of a soak, each with the check of its answer. What is wrong is thrown; what the service may refuse is not.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newApiKey } from '../../../src/domain/api-key.ts';
import { pick } from '../../support/market.ts';
import { asked, assertOneOf, codeOf, csvRows, jsonRows, rowsFault } from './answers.ts';
import type { SoakClient } from './client.ts';
import { PROFILE_ID } from './market.ts';
import type { World } from './world.ts';

export type Question = (client: SoakClient, world: World) => Promise<void>;

const LISTING = '/v1/crypto/ta-cur';
const ALL = 100_000;
const PAGE = join(import.meta.dirname, '../../../web/dist');

const keyed = ({ key }: World, more: Readonly<Record<string, string>> = {}) => ({ 'x-api-key': key, ...more });

interface ListingChoice {
  readonly limit?: number;
  readonly form?: 'json' | 'csv';
  readonly headers?: Readonly<Record<string, string>>;
}

async function listing(client: SoakClient, world: World, choice: ListingChoice = {}): Promise<void> {
  const { random, oldest, newest } = world;
  const { form = 'json', headers = {}, limit = pick(random, [1, 5, 20, 100, 250]) } = choice;
  const sort = pick(random, ['symbol', 'price', 'change1', 'change365', 'sma20', 'sma365', 'var50', 'vol30']);
  const order = pick(random, ['asc', 'desc']);
  const page = 1 + Math.floor(random() * (newest.rows / limit + 1));
  const path = `${LISTING}?limit=${limit}&page=${page}&sort=${sort}&order=${order}&format=${form}`;
  const reply = await asked(client, path, { headers: keyed(world, headers), fresh: random() < 0.1 });
  assert.equal(reply.status, 200, `${path}: ${reply.body}`);
  const rows = form === 'csv' ? csvRows(reply.body) : jsonRows(reply.body);
  assertOneOf(world, oldest, state => rowsFault(state, rows, state.page(sort, order, limit, page), world));
}

async function pages(client: SoakClient, world: World): Promise<void> {
  let path: string | null = `${LISTING}?limit=40&sort=price`;
  for (let page = 1; page <= 3 && path !== null; page++) {
    const { oldest } = world;
    const reply = await asked(client, path, { headers: keyed(world) });
    assert.equal(reply.status, 200, `${path}: ${reply.body}`);
    const rows = jsonRows(reply.body);
    assertOneOf(world, oldest, state => rowsFault(state, rows, state.page('price', 'desc', 40, page), world));
    const next: string | null = JSON.parse(reply.body.toString()).next;
    path = next === null ? null : new URL(next).pathname + new URL(next).search;
  }
}

async function history(client: SoakClient, world: World): Promise<void> {
  const { random, oldest, newest } = world;
  const symbol = newest.someSymbol(random);
  const path = `/v1/crypto/ta-hist?symbol=${symbol}&limit=${ALL}`;
  const reply = await asked(client, path, { headers: keyed(world) });
  // An asset of the load that is under way may not be there yet.
  if (reply.status === 404 && symbol.startsWith('N')) return;
  assert.equal(reply.status, 200, `${path}: ${reply.body}`);
  const rows = jsonRows(reply.body);
  const at = Math.floor(random() * rows.length);
  assertOneOf(world, oldest, state => {
    const { days } = state.historyOf(symbol);
    if (rows.length !== days) return `${rows.length} days of ${symbol} instead of ${days}`;
    return rows.length === 0 ? null : (state.fault(rows[0]!) ?? state.fault(rows[at]!, at));
  });
}

async function profile(client: SoakClient, world: World): Promise<void> {
  const { oldest } = world;
  const reply = await asked(client, `/v1/crypto/assets/${PROFILE_ID}`, { headers: keyed(world) });
  assert.equal(reply.status, 200, String(reply.body));
  const { description } = JSON.parse(reply.body.toString());
  assertOneOf(world, oldest, ({ note }) => (description === note ? null : `described ${description}, not ${note}`));
}

async function explorer(client: SoakClient, world: World): Promise<void> {
  const index = await asked(client, '/');
  assert.equal(index.status, 200);
  const files = [...index.body.toString().matchAll(/"(\/app\/[^"]+)"/g)].map(([, path]) => path!);
  const path = pick(world.random, files);
  const reply = await asked(client, path);
  assert.equal(reply.status, 200, path);
  assert.ok(reply.body.equals(readFileSync(join(PAGE, path))), `${path} is not the file`);
}

/** From addresses of their own: who brings bad keys is answered ever later. */
async function refused(client: SoakClient, world: World): Promise<void> {
  const from = `127.0.0.${2 + Math.floor(world.random() * 4)}`;
  const revoked = world.revokedKeys.at(-1);
  const [key, code] = pick(world.random, [
    [undefined, 'missing_key'],
    ['tdm_nonsense', 'mistyped_key'],
    [newApiKey(), 'unknown_key'],
    ...(revoked === undefined ? [] : [[revoked.key, 'revoked_key'] as const]),
  ] as const);
  const headers = key === undefined ? {} : { 'x-api-key': key };
  const reply = await asked(client, LISTING, { headers, from, fresh: true });
  assert.ok([code, 'too_many_bad_keys'].includes(String(codeOf(reply))), `${codeOf(reply)} instead of ${code}`);
}

async function overLimit(client: SoakClient, world: World): Promise<void> {
  const ask = () => asked(client, `${LISTING}?limit=1`, { headers: { 'x-api-key': world.slowKey }, fresh: true });
  const replies = await Promise.all(Array.from({ length: 4 }, ask));
  for (const reply of replies) {
    if (reply.status === 200) continue;
    assert.equal(reply.status, 429, String(reply.body));
    assert.ok(Number(reply.headers['retry-after']) >= 1);
  }
}

async function goodKey(client: SoakClient, world: World): Promise<void> {
  const good = world.goodKeys.at(-1);
  if (good === undefined) return;
  const reply = await asked(client, `${LISTING}?limit=1`, { headers: { 'x-api-key': good.key } });
  // It may be revoked just now.
  if (world.goodKeys.includes(good)) assert.equal(reply.status, 200, String(reply.body));
}

async function head(client: SoakClient, world: World): Promise<void> {
  const reply = await asked(client, `${LISTING}?limit=10`, { method: 'HEAD', headers: keyed(world) });
  assert.deepEqual([reply.status, reply.body.length], [200, 0]);
}

async function unchanged(client: SoakClient, world: World): Promise<void> {
  const path = `${LISTING}?limit=5&sort=symbol`;
  const { etag = '' } = (await asked(client, path, { headers: keyed(world) })).headers;
  const { status } = await asked(client, path, { headers: keyed(world, { 'if-none-match': etag }) });
  assert.ok([200, 304].includes(status), String(status));
}

async function badQuery(client: SoakClient, world: World): Promise<void> {
  const [query, code] = pick(world.random, [
    ['limit=0', 'invalid_value'],
    ['sorted=price', 'unknown_parameter'],
    ['sort=close', 'unknown_column'],
    ['price=9:1', 'invalid_range'],
    ['symbol=1:2&range=symbol:1:2', 'column_not_numeric'],
    [`unknown${Math.floor(world.random() * 1e6)}=1`, 'unknown_parameter'],
  ] as const);
  const reply = await asked(client, `${LISTING}?${query}`, { headers: keyed(world) });
  assert.deepEqual([reply.status, codeOf(reply)], [400, code], query);
}

async function health(client: SoakClient): Promise<void> {
  assert.equal((await client.ask('/healthz')).status, 200);
  const ready = await client.ask('/readyz');
  assert.equal(ready.status, 200, String(ready.body));
}

/** By how often each is asked. */
export const QUESTIONS: readonly { readonly name: string; readonly weight: number; readonly ask: Question }[] = [
  { name: 'pages as JSON', weight: 30, ask: listing },
  { name: 'pages as CSV', weight: 10, ask: (client, world) => listing(client, world, { form: 'csv' }) },
  {
    name: 'pages with gzip',
    weight: 8,
    ask: (client, world) => listing(client, world, { headers: { 'accept-encoding': 'gzip' } }),
  },
  { name: 'page after page', weight: 3, ask: pages },
  { name: 'all rows as JSON', weight: 2, ask: (client, world) => listing(client, world, { limit: ALL }) },
  { name: 'all rows as CSV', weight: 1, ask: (client, world) => listing(client, world, { limit: ALL, form: 'csv' }) },
  {
    name: 'downloads given up',
    weight: 4,
    ask: (client, world) => client.abandon(`${LISTING}?limit=${ALL}`, { headers: keyed(world) }),
  },
  { name: 'histories', weight: 8, ask: history },
  { name: 'profiles', weight: 8, ask: profile },
  { name: 'explorer', weight: 3, ask: explorer },
  { name: 'bad keys', weight: 5, ask: refused },
  { name: 'a key above its rate', weight: 3, ask: overLimit },
  { name: 'keys that come and go', weight: 3, ask: goodKey },
  { name: 'HEAD', weight: 3, ask: head },
  { name: 'If-None-Match', weight: 3, ask: unchanged },
  { name: 'bad queries', weight: 5, ask: badQuery },
  { name: 'health', weight: 1, ask: health },
];

// Random requests: real ones, mutated again and again, and random ones out of the words that the service knows.

import type { Chance } from '../contract/query/chance.ts';
import { ASSET_FIELDS, ASSETS, HISTORY, LISTING, ROW_FIELDS } from './contract.ts';

export interface FuzzRequest {
  readonly bytes: Buffer;
  readonly target: string;
  readonly toHead: boolean;
  /** The parser may refuse it, or may wait for more of it. */
  readonly hostile: boolean;
}

const QUERIES = [
  '',
  'limit=5&page=2&sort=price&order=desc',
  'limit=1000&sort=symbol&order=asc&excl_cols=symbol,close',
  'format=csv&meta=true',
  'price=10:100&[vol30]=5:',
  'range=price:10:100,vol30:5:&range=:9',
  '[sma200]=:[sma50]',
  '[sma50]>:[sma200]&[sma5]<=:[sma7]',
  '%5Bsma50%5D%3E%3D%3A%5Bsma200%5D',
  'comparison=[sma50]!=:[sma200],[price]<:[sma7]',
  'not_null=change365,change180&change30=not_null',
  'not_null&sort=change90',
  'symbol=btc,ETH,%E6%AF%94%E7%89%B9%E5%B8%81&min_history=30',
  'q=bit+coin&sort=rank&order=asc',
  'symbol=btc&from=2026-01-01&to=2026-02-28T12:00:00Z',
  'id=btc-bitcoin&limit=3&sort=vol30&from=2025-06-01',
  'id=TIDE&to=2026-03-10',
  'api_key=tm_free_1234&limit=2',
];

const OTHER_PATHS = [
  ...[`${ASSETS}/btc-bitcoin`, `${ASSETS}/TIDE`, '/v1/coins/ETH', '/v1/coins/nobody', '/', '/docs', '/v1/catalog'],
  ...['/healthz', '/readyz', '/v2/crypto/ta-cur', '/v1/crypto', '/v1/openapi.json'],
];

/** What parsers stumble over, one character for each byte. */
const TOKENS = [
  ...[
    '%',
    '%%',
    '%0',
    '%zz',
    '%00',
    '%0d%0a',
    '%C0%AF',
    '%ED%A0%80',
    '%ED%BF%BF',
    '%F4%90%80%80',
    '%FF',
    '%e2%82',
    '%26',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '[object Object]', 'undefined', 'null', 'NaN', '-0'],
  ...[
    '&',
    '&&',
    '=',
    '==',
    '>',
    '>=',
    '<',
    '<=',
    '!=',
    ':',
    '::',
    ',',
    ',,',
    '[',
    ']',
    '[[',
    '[]',
    '>:',
    '=:',
    '+',
    '%2B',
  ],
  ...['1e999', '-1e-999', '9007199254740993', '0x1F', '1e5', '00', '999999999999999999999', '0.1e-7', '-'],
  ...['../', '/..', '//', '/%2e%2e/', '\\', ';', '#', '?', '??', '"', "'", '`', '{', '}', '|', '^', '~', '<script>'],
  ...['\xff', '\x80', '\xe6\xaf\x94', '\xed\xa0\x80', '\xc0\x80', '\xf0\x9f\x98\x80'],
];

/** Only where the request line may break. */
const BREAKING = ['\0', ' ', '\t', '\r', '\n', '\r\n', '\r\n\r\n', '\x7f', '\x01', ' HTTP/1.1\r\n', '\r\nX: y\r\n'];

const NAMES = [
  ...[
    'limit',
    'page',
    'sort',
    'order',
    'excl_cols',
    'format',
    'meta',
    'range',
    'comparison',
    'not_null',
    'symbol',
    'q',
    'id',
    'from',
    'to',
  ],
  ...['min_history', 'api_key', 'Limit', 'limt', '', '__proto__', '[price', 'price]', ...ROW_FIELDS, ...ASSET_FIELDS],
];
const VALUES = [
  ...['', '1', '2', '5', '10:20', ':', '5:', ':5', '20:10', 'asc', 'desc', 'csv', 'json', 'true', 'false', 'not_null'],
  ...['btc,eth', 'price', 'price:1:2', '[sma50]>:[sma200]', ':[sma50]', ':sma7', 'sma5,sma7', 'nobody', ...TOKENS],
  ...['btc', 'btc-bitcoin', '2026-01-01', '2026-02-29', '2026-03-01T00:00:00Z', '2026-03-01 25:00', '9999-12-31'],
];

const HEADERS = [
  ...['Accept: text/csv', 'Accept: */*;q=x', 'Accept: ,;,', 'Accept-Encoding: gzip', 'Accept-Encoding: br;q=2,*;q='],
  ...['If-None-Match: *', 'If-None-Match: W/"x", ,"', 'X-Request-Id: a b', 'X-Request-Id: ok-1', 'Forwarded: host="'],
  ...[
    'X-Forwarded-Host: [',
    'Authorization: Bearer',
    'Authorization: \xff',
    'X-API-Key:',
    'Origin: null',
    'Range: bytes=0-',
  ],
  ...['Expect: a-miracle', 'Accept-Version: 2', 'Content-Type: text/plain', 'Cookie: __proto__=1', 'Te: trailers'],
];

export function randomRequest(chance: Chance): FuzzRequest {
  const kind = chance.next();
  if (kind < 0.025) return brokenRequest(chance);
  if (kind < 0.027) return request(chance, monster(chance));
  return request(chance, kind < 0.6 ? mutated(chance) : composed(chance));
}

function request(chance: Chance, target: string): FuzzRequest {
  const method = chance.happens(0.9) ? 'GET' : chance.pick(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']);
  const headers = chance.happens(0.3) ? chance.some(HEADERS, 3) : [];
  const text = `${method} ${target} HTTP/1.1\r\nHost: fuzz.example\r\n${headers.map(line => `${line}\r\n`).join('')}\r\n`;
  return { bytes: Buffer.from(text, 'latin1'), target, toHead: method === 'HEAD', hostile: false };
}

function seedTarget(chance: Chance): string {
  if (chance.happens(0.15)) return chance.pick(OTHER_PATHS);
  const query = chance.pick(QUERIES);
  const path = query.startsWith('q=') ? ASSETS : /\b(?:id|from)=/.test(query) ? HISTORY : LISTING;
  return query === '' ? path : `${path}?${query}`;
}

function mutated(chance: Chance): string {
  let target = seedTarget(chance);
  const path = target.split('?', 1)[0] ?? '';
  const times = chance.below(5);
  for (let i = 0; i < times; i++) {
    // Mostly in the query: a broken path says no more than that there is nothing.
    const from = target.startsWith(path) && chance.happens(0.8) ? path.length : 0;
    target = target.slice(0, from) + mutate(target.slice(from), chance);
  }
  return `/${orderly(target).replace(/^\/+/, '')}`;
}

/** Without what Node's parser refuses in a request line: the service must answer every one of these in its own words. */
function orderly(target: string): string {
  return target.replace(/[^\x21-\x7e]/g, '');
}

function mutate(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const to = Math.min(text.length, at + 1 + chance.below(8));
  switch (chance.below(8)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, to) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(0x21 + chance.below(0xdf)) + text.slice(at + 1);
    case 3:
      return text.slice(0, at) + encodeURIComponent(text.slice(at, to)) + text.slice(to);
    case 4:
      return `${text}${text.includes('?') ? '&' : '?'}${chance.pick(QUERIES)}`;
    case 5:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + chance.pick(TOKENS) + text.slice(at);
  }
}

function composed(chance: Chance): string {
  const pairs = Array.from({ length: 1 + chance.below(6) }, () => {
    const name = chance.happens(0.3) ? `[${chance.pick(NAMES)}]` : chance.pick(NAMES);
    const pair = `${name}${chance.pick(['=', '=', '=', '', '>', '>=', '!=', '<:', '=:', '>:'])}${chance.pick(VALUES)}`;
    return chance.happens(0.2) ? encodeURIComponent(orderly(pair)) : orderly(pair.replaceAll(' ', '+'));
  });
  return `${chance.pick([LISTING, LISTING, ASSETS, HISTORY])}?${pairs.join('&')}`;
}

/** Long, deep or many, but short enough for the parser. */
function monster(chance: Chance): string {
  return chance.pick([
    `${LISTING}?${'a&'.repeat(10_000)}`,
    `${LISTING}?${'&'.repeat(16_000)}`,
    `${LISTING}?${'price=1:&'.repeat(1_800)}`,
    `${LISTING}?${'[sma5]>:[sma7]&'.repeat(1_000)}`,
    `${LISTING}?symbol=${'A,'.repeat(8_000)}`,
    `${LISTING}?excl_cols=${'x,'.repeat(8_000)}`,
    `${LISTING}?range=${'price:1:,'.repeat(1_700)}`,
    `${LISTING}?${'['.repeat(16_000)}`,
    `${LISTING}?${'%'.repeat(16_000)}`,
    `${LISTING}?price=${'9'.repeat(16_000)}`,
    `${LISTING}?sort=${'%F0%9F%98%80'.repeat(1_300)}`,
    `${ASSETS}?q=${'b'.repeat(16_000)}`,
    `${ASSETS}/${'x'.repeat(30_000)}`,
    `/${'../'.repeat(9_000)}`,
    `${LISTING}?${'x'.repeat(31_000)}`,
  ]);
}

/** A request whose line, headers or length are no longer whole. */
function brokenRequest(chance: Chance): FuzzRequest {
  const target = seedTarget(chance);
  const lines = [`GET ${target} HTTP/1.1`, 'Host: fuzz.example', ...chance.some(HEADERS, 2)];
  let text = `${lines.join('\r\n')}\r\n\r\n`;
  const times = 1 + chance.below(4);
  for (let i = 0; i < times; i++) {
    const at = chance.below(text.length);
    text = chance.happens(0.6) ? text.slice(0, at) + chance.pick(BREAKING) + text.slice(at) : mutate(text, chance);
  }
  if (chance.happens(0.02)) text = `GET ${LISTING}?${'x'.repeat(33_000 + chance.below(20_000))} HTTP/1.1\r\n\r\n`;
  return { bytes: Buffer.from(text === '' ? '\0' : text, 'latin1'), target, toHead: false, hostile: true };
}

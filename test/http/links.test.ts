import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { ServiceOptions, TestService } from '../support/service.ts';
import { type Envelope, LISTING, startContractService } from './contract.ts';
import { MARKET, marketSource } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const pageNumber = (link: string | null) => (link === null ? null : Number(new URL(link).searchParams.get('page')));

describe('the Link header of a long query', () => {
  const symbols = (count: number) => Array.from({ length: count }, (_, i) => `${'N'.repeat(35)}${i}`).join(',');

  for (const [count, relations] of [
    [10, ['next', 'prev']],
    [140, ['next']],
  ] as const) {
    it(`with ${count} unknown symbols has ${relations.join(' and ')}, and the head stays below 8 kB`, async () => {
      const query = `limit=1&page=2&symbol=btc,eth,tide,${symbols(count)}`;
      const answer = await service.ask(`${LISTING}?${query}`);
      assert.equal(answer.status, 200);
      const link = answer.headers['link']?.toString() ?? '';
      assert.deepEqual(
        [...link.matchAll(/rel="(\w+)"/g)].map(match => match[1]),
        relations,
      );
      const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      assert.ok(head.join('').length < 8000, `${head.join('').length} bytes`);
      const { next, prev } = answer.json<Envelope>();
      assert.deepEqual([pageNumber(next), pageNumber(prev)], [3, 1], 'the envelope has both');
    });
  }

  it('is bounded by the length of the query, as it would be written in the link', async () => {
    for (const query of [`symbol=${'A'.repeat(6000)}`, `symbol=${'"'.repeat(2000)}`]) {
      const answer = await service.ask(`${LISTING}?${query}`);
      assert.equal(answer.status, 414);
      assert.match(answer.text, /"code":"query_too_long".*At most 6000 characters/);
    }
  });
});

describe('SPEC 4: next and prev', () => {
  // 80 rows without a filter.
  const pages: readonly [query: string, next: number | null, prev: number | null][] = [
    ['limit=20', 2, null],
    ['limit=20&page=1', 2, null],
    ['limit=20&page=2', 3, 1],
    ['limit=20&page=3', 4, 2],
    ['limit=20&page=4', null, 3],
    ['limit=20&page=5', null, 4],
    ['limit=20&page=6', null, 4],
    ['limit=20&page=9007199254740991', null, 4],
    ['limit=79&page=1', 2, null],
    ['limit=79&page=2', null, 1],
    ['limit=80', null, null],
    ['limit=80&page=2', null, 1],
    ['limit=81', null, null],
    ['limit=100000&page=100000', null, 1],
    ['symbol=nobody', null, null],
    ['symbol=nobody&page=7', null, null],
    ['symbol=btc,eth&limit=1', 2, null],
    ['symbol=btc,eth&limit=1&page=2', null, 1],
    ['symbol=btc,eth&limit=1&page=3', null, 2],
    ['price=1e300:', null, null],
    ['[sma50]!=:[sma50]&page=2', null, null],
  ];
  const shapes = [
    '',
    'sort=price&order=asc',
    'sort=change365',
    'meta=true',
    'excl_cols=symbol',
    'format=csv',
    'not_null=price',
  ];

  for (const [query, next, prev] of pages) {
    it(`of ?${query} are ${next} and ${prev}, whatever else is asked for`, async () => {
      for (const shape of shapes) {
        const answer = await service.ask(`${LISTING}?${query}&${shape}`);
        const links = headerLinks(answer.headers['link']?.toString());
        assert.deepEqual({ next: pageNumber(links.next), prev: pageNumber(links.prev) }, { next, prev }, shape);
        if (shape === 'format=csv') continue;
        const envelope = answer.json<Envelope>();
        assert.deepEqual({ next: envelope.next, prev: envelope.prev }, links, shape);
      }
    });
  }

  it('past the end there is no row, and prev is the last page that has some', async () => {
    const { result, results_returned, prev } = await service.get<Envelope>(`${LISTING}?limit=20&page=99`);
    assert.deepEqual({ result, results_returned }, { result: [], results_returned: 0 });
    assert.equal((await service.get<Envelope>(prev ?? '')).results_returned, 20);
  });

  const carried: readonly [query: string, rest: string][] = [
    ['', ''],
    ['page=2', ''],
    ['order=asc', ''],
    ['api_key=secret', ''],
    ['meta=true', '&meta=true'],
    ['symbol=btc,ETH,c00', '&symbol=btc,ETH,c00'],
    ['excl_cols=symbol,close', '&excl_cols=symbol,close'],
    ['price=1:1000', '&price=1:1000'],
    ['[price]=1:1000', '&%5Bprice%5D=1:1000'],
    ['[sma50]>:[sma200]', '&%5Bsma50%5D%3E:%5Bsma200%5D'],
    ['[sma50]>=:[sma200]', '&%5Bsma50%5D%3E=:%5Bsma200%5D'],
    ['[sma200]=:[sma50]', '&%5Bsma200%5D=:%5Bsma50%5D'],
    ['comparison=[sma50]!=:[sma200]', '&comparison=%5Bsma50%5D!%3D:%5Bsma200%5D'],
    ['not_null', '&not_null'],
    ['not_null=true&change30=not_null', '&not_null=true&change30=not_null'],
    ['range=price:0:1e5&range=vol30:0:', '&range=price:0:1e5&range=vol30:0:'],
    [
      'symbol=%3Dsum(a1),quo%22te,%E6%AF%94%E7%89%B9%E5%B8%81',
      '&symbol=%3Dsum(a1),quo%22te,%E6%AF%94%E7%89%B9%E5%B8%81',
    ],
    ['meta=false&page=2&price=0:&limit=1&api_key=k', '&meta=false&price=0:'],
  ];
  for (const [query, rest] of carried) {
    it(`of ?${query} carry limit, sort, order and page, then ${rest.slice(1) || 'nothing'}`, async () => {
      const extra = query.includes('limit') ? '' : 'limit=1&';
      const { next, result } = await service.get<Envelope>(`${LISTING}?${extra}${query}`);
      const [page, order] = [query.includes('page=2') ? 3 : 2, query.includes('order=asc') ? 'asc' : 'desc'];
      assert.equal(next, `${service.url}${LISTING}?limit=1&sort=datetimeUTC&order=${order}&page=${page}${rest}`);
      assert.equal(result.length, 1);
    });
  }

  it('mean what the request meant: the next page of every form of filter is its next page', async () => {
    for (const [query] of carried) {
      if (query.includes('page')) continue;
      const all = await service.get<Envelope>(`${LISTING}?limit=2&${query}`);
      const first = await service.get<Envelope>(`${LISTING}?limit=1&${query}`);
      const second = await service.get<Envelope>(first.next ?? '');
      assert.deepEqual([...first.result, ...second.result], all.result, query);
    }
  });
});

describe('SPEC 1: links are absolute', () => {
  const originOf = async (options: ServiceOptions, headers: Record<string, string>) => {
    const other = await startContractService({ sources: [marketSource(MARKET.slice(0, 2))], ...options });
    try {
      const { next } = await other.get<Envelope>(`${LISTING}?limit=1`, headers);
      return (next ?? '').split('/v1/')[0]?.replace(other.url, 'LOCAL');
    } finally {
      await other.close();
    }
  };
  const FORWARDED = { kind: 'forwarded', hops: 1 } as const;
  const X_FORWARDED = { kind: 'x-forwarded', hops: 1 } as const;
  const forwarded = { forwarded: 'for=1.2.3.4;host=api.example;proto=https' };
  const cases: readonly [string, ServiceOptions, Record<string, string>, string][] = [
    ['from Host', {}, { host: 'my.example:81' }, 'http://my.example:81'],
    ['from Host, also an IPv6 address', {}, { host: '[::1]:8080' }, 'http://[::1]:8080'],
    ['from Host, also the name of a container', {}, { host: 'market_data:8080' }, 'http://market_data:8080'],
    ['from the address where the request arrived when Host is none', {}, { host: 'a"><b>' }, 'LOCAL'],
    [
      'from the public URL before all else',
      { publicUrl: 'https://x.example/y', trustProxy: FORWARDED },
      forwarded,
      'https://x.example/y',
    ],
    ['not from Forwarded', {}, { ...forwarded, host: 'my.example' }, 'http://my.example'],
    ['not from X-Forwarded-*', {}, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }, 'LOCAL'],
    ['from Forwarded behind a trusted proxy', { trustProxy: FORWARDED }, forwarded, 'https://api.example'],
    ['not from Forwarded where X-Forwarded-* is trusted', { trustProxy: X_FORWARDED }, forwarded, 'LOCAL'],
    [
      'not from X-Forwarded-* where Forwarded is trusted',
      { trustProxy: FORWARDED },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      'LOCAL',
    ],
    [
      'from the last of several elements',
      { trustProxy: X_FORWARDED },
      { 'x-forwarded-host': 'evil.example, api.example', 'x-forwarded-proto': 'http, https' },
      'https://api.example',
    ],
    [
      'with only the protocol forwarded',
      { trustProxy: X_FORWARDED },
      { host: 'h.example', 'x-forwarded-proto': 'https' },
      'https://h.example',
    ],
    [
      'not from a forwarded host that is none',
      { trustProxy: X_FORWARDED },
      { host: 'h.example', 'x-forwarded-host': 'a b/c' },
      'http://h.example',
    ],
    [
      'with no protocol but http and https',
      { trustProxy: X_FORWARDED },
      { host: 'h.example', 'x-forwarded-proto': 'javascript' },
      'http://h.example',
    ],
  ];
  for (const [name, options, headers, expected] of cases) {
    it(name, async () => assert.equal(await originOf(options, headers), expected));
  }

  it('from the address where the request arrived when an old client sends no Host', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`GET ${LISTING}?limit=1&excl_cols=price HTTP/1.0\r\n\r\n`);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.ok(answer.includes(`"next":"${service.url}${LISTING}?limit=1&`), answer.slice(-300));
  });
});

/** The links of a `Link` header by their relation. */
function headerLinks(header: string | undefined): { next: string | null; prev: string | null } {
  const links: Record<string, string> = {};
  for (const part of header?.split(', <') ?? []) {
    const [, url, relation] = /^<?([^>]*)>; rel="(\w+)"$/.exec(part) ?? assert.fail(`not a link: ${part}`);
    links[relation!] = url!;
  }
  return { next: links['next'] ?? null, prev: links['prev'] ?? null };
}

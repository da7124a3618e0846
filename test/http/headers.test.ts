import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { TestService } from '../support/service.ts';
import { ASSETS, type Envelope, HISTORY, LISTING, startContractService } from './contract.ts';
import { MARKET, marketSource, NOW, wave } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService({ maxAgeSeconds: 7 });
});
after(() => service.close());

const DATA_PATHS = [LISTING, `${LISTING}?format=csv`, ASSETS, `${HISTORY}?symbol=btc`, `${ASSETS}/btc-bitcoin`];

describe('SPEC 4: ETag', () => {
  const tagOf = async (path: string, headers: Record<string, string> = {}) =>
    String((await service.ask(path, { headers })).headers.etag);

  for (const path of DATA_PATHS) {
    it(`${path} has a weak one, and If-None-Match with it gives 304 without a body`, async () => {
      const tag = await tagOf(path);
      assert.match(tag, /^W\/"[\w-]+"$/);
      for (const condition of [tag, tag.slice(2), `"other", ${tag}`, `W/"other",${tag}`, '*']) {
        const answer = await service.ask(path, { headers: { 'if-none-match': condition } });
        assert.equal(answer.status, 304, condition);
        assert.equal(answer.body.length, 0);
        assert.equal(answer.headers.etag, tag);
        assert.equal(answer.headers['cache-control'], 'private, max-age=7');
        assert.ok(answer.headers.vary);
      }
      for (const condition of ['"other"', '', 'W/""', tag.slice(3, -1)]) {
        assert.equal((await service.ask(path, { headers: { 'if-none-match': condition } })).status, 200, condition);
      }
    });
  }

  const same = [
    ['', 'sort=datetimeUTC'],
    ['', 'page=1&limit=100'],
    ['', '&&'],
    ['price=1:', 'price=1.0:'],
    ['limit=200000', 'limit=100000'],
  ] as const;
  for (const [one, other] of same) {
    it(`?${one} and ?${other} ask the same${one.includes('price') ? ' with other links' : ''}`, async () => {
      const [a, b] = [await tagOf(`${LISTING}?${one}`), await tagOf(`${LISTING}?${other}`)];
      const { result } = await service.get<Envelope>(`${LISTING}?${one}`);
      assert.deepEqual((await service.get<Envelope>(`${LISTING}?${other}`)).result, result);
      // The links of the two spell the filter as their own request did, so the answers differ.
      if (one.includes('price')) assert.notEqual(a, b);
      else assert.equal(a, b);
    });
  }

  it('differs between different questions', async () => {
    const questions = [
      '',
      'order=asc',
      'sort=price',
      'limit=5',
      'limit=5&page=2',
      'meta=true',
      'format=csv',
      'excl_cols=price',
      'price=1:',
      'price=:1',
      'symbol=btc',
      'min_history=2',
      '[sma5]>:[sma7]',
      '[sma5]<:[sma7]',
      'not_null=change1',
    ];
    const tags = await Promise.all(questions.map(question => tagOf(`${LISTING}?${question}`)));
    assert.equal(new Set(tags).size, tags.length);
    // Links in the body differ with the host.
    assert.notEqual(await tagOf(LISTING, { host: 'other.example' }), tags[0]);
    assert.notEqual(await tagOf(LISTING, { accept: 'text/csv' }), tags[0]);
  });

  it('stays while the data stays, also when a load brings nothing new, and changes with it', async () => {
    const other = await startContractService();
    try {
      const headers = { 'if-none-match': String((await other.ask(LISTING)).headers.etag) };
      await other.load(marketSource());
      assert.equal((await other.ask(LISTING, { headers })).status, 304);
      await other.load(marketSource([{ ...MARKET[0]!, closes: wave(420, 61_000, 1.1) }]));
      assert.equal((await other.ask(LISTING, { headers })).status, 200);
    } finally {
      await other.close();
    }
  });
});

describe('SPEC 4: Cache-Control and Vary', () => {
  for (const path of DATA_PATHS) {
    it(`${path} may be kept by its reader for the time of the setting`, async () => {
      const { headers } = await service.ask(path);
      assert.equal(headers['cache-control'], 'private, max-age=7');
      const vary = headers.vary?.split(', ') ?? [];
      for (const name of ['Accept-Encoding', 'Authorization', 'X-API-Key']) assert.ok(vary.includes(name), name);
    });
  }

  it('a listing varies with Accept, which chooses CSV', async () => {
    for (const path of [LISTING, ASSETS]) assert.match(String((await service.ask(path)).headers.vary), /\bAccept\b/);
  });

  it('an error is never kept', async () => {
    for (const path of [`${LISTING}?limit=0`, `${ASSETS}/nobody`, '/nothing', `${ASSETS}/%zz`]) {
      const { headers } = await service.ask(path);
      assert.equal(headers['cache-control'], 'no-store', path);
      assert.equal(headers.etag, undefined, path);
    }
  });
});

describe('SPEC 4: Server-Timing and X-Request-Id', () => {
  for (const [path, parts] of [
    [LISTING, ['data', 'meta', 'total']],
    [`${LISTING}?meta=true`, ['data', 'meta', 'total']],
    [`${LISTING}?format=csv`, ['data', 'total']],
    [ASSETS, ['data', 'meta', 'total']],
  ] as const) {
    it(`${path} says what took how long`, async () => {
      const timing = String((await service.ask(path)).headers['server-timing']).split(', ');
      assert.deepEqual(
        timing.map(part => part.split(';')[0]),
        parts,
      );
      for (const part of timing) assert.match(part, /^\w+;dur=\d+(\.\d{1,3})?$/);
    });
  }

  it('every answer has an id of its own', async () => {
    const paths = [
      LISTING,
      LISTING,
      `${LISTING}?limit=0`,
      `${ASSETS}/btc`,
      '/nothing',
      '/healthz',
      '/readyz',
      `${ASSETS}/%`,
    ];
    const ids = await Promise.all(paths.map(async path => (await service.ask(path)).headers['x-request-id']));
    for (const id of ids) assert.match(String(id), /^[\w-]{5,}$/);
    assert.equal(new Set(ids).size, paths.length);
  });

  for (const [sent, taken] of [
    ['my-id.1:2_3', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['two words', false],
    ['<script>', false],
    ['', false],
  ] as const) {
    it(`the client’s id ${sent.slice(0, 20)} is ${taken ? 'echoed' : 'replaced'}`, async () => {
      for (const path of [LISTING, `${LISTING}?limit=0`, `${ASSETS}/%zz`]) {
        const { headers, text } = await service.ask(path, { headers: { 'x-request-id': sent } });
        assert.equal(headers['x-request-id'] === sent, taken, path);
        if (path !== LISTING) assert.equal(JSON.parse(text).request_id, headers['x-request-id']);
      }
    });
  }
});

describe('SPEC 4: compression when asked for', () => {
  const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  for (const [encoding, decode] of Object.entries(DECODE)) {
    it(`${encoding}: the decoded body is the plain one`, async () => {
      for (const path of [`${LISTING}?format=csv`, `${ASSETS}?format=csv`, `${ASSETS}/btc-bitcoin`, '/v1/catalog']) {
        const plain = await service.ask(path, { headers: { 'accept-encoding': 'identity' } });
        const packed = await service.ask(path, { headers: { 'accept-encoding': encoding } });
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal(packed.headers['content-encoding'], encoding);
        assert.equal(packed.headers['content-length'], String(packed.body.length));
        assert.ok(packed.body.length < plain.body.length);
        assert.deepEqual(decode(packed.body), plain.body);
        assert.equal(packed.headers.etag, plain.headers.etag);
        assert.match(String(plain.headers.vary), /Accept-Encoding/);
      }
    });

    it(`${encoding}: a page is compressed once per second, for all clients and at any time in it`, async () => {
      const began = Math.floor(NOW / 1000);
      let now = began * 1000;
      const clocked = await startContractService({ now: () => now });
      try {
        const packed = async (path: string) =>
          (await clocked.ask(path, { headers: { 'accept-encoding': encoding } })).body;
        const [first, second] = await Promise.all([packed(LISTING), packed(LISTING)]);
        now += 999;
        assert.deepEqual([second, await packed(LISTING)], [first, first]);
        assert.notDeepEqual(await packed(`${LISTING}?limit=20`), first);
        assert.notDeepEqual(await packed(ASSETS), first);
        now += 1;
        const later = await packed(LISTING);
        const times = [first, later].map(body => (JSON.parse(decode(body).toString()) as Envelope).datetimeUTC);
        assert.deepEqual(
          times.map(text => Date.parse(`${text}Z`) / 1000),
          [began, began + 1],
        );
      } finally {
        await clocked.close();
      }
    });

    it(`${encoding}: the rows of the JSON listing are the same`, async () => {
      const packed = await service.ask(LISTING, { headers: { 'accept-encoding': encoding } });
      const { result }: Envelope = JSON.parse(decode(packed.body).toString());
      assert.deepEqual(result, (await service.get<Envelope>(LISTING)).result);
    });
  }

  for (const [accepted, chosen] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['deflate, gzip', 'gzip'],
    ['*', 'gzip'],
    ['br;q=0.5, *', 'gzip'],
    ['gzip;q=0, *', undefined],
    ['GZIP', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['gzip;q=x', undefined],
    ['', undefined],
  ] as const) {
    it(`Accept-Encoding: ${accepted} gets ${chosen ?? 'no compression'}`, async () => {
      const { headers } = await service.ask(LISTING, { headers: { 'accept-encoding': accepted } });
      assert.equal(headers['content-encoding'], chosen);
    });
  }

  it('a short answer is not compressed', async () => {
    const answer = await service.ask(`${LISTING}?symbol=nobody`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(answer.headers['content-encoding'], undefined);
  });
});

describe('SPEC 10: simulated prices are marked', () => {
  it('every answer of the demo says so, and no other does', async () => {
    const demo = await startContractService({ simulated: true });
    try {
      for (const path of [
        ...DATA_PATHS,
        '/v1/catalog',
        '/healthz',
        '/nothing',
        `${LISTING}?limit=0`,
        `${ASSETS}/%zz`,
      ]) {
        assert.equal((await demo.ask(path)).headers['x-tidemark-simulated'], 'true', path);
        assert.equal((await service.ask(path)).headers['x-tidemark-simulated'], undefined, path);
      }
    } finally {
      await demo.close();
    }
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { KeyRing } from '../../src/access/key-ring.ts';
import { Penalties } from '../../src/access/penalties.ts';
import { SharedLimits } from '../../src/access/shared-limits.ts';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import { resolveTiers } from '../../src/domain/tiers.ts';
import { IN_USE_MS } from '../../src/export/export-folder.ts';
import { keysAccess, monotonicMicros } from '../../src/http/authentication/by-api-key.ts';
import { asListed, duckRows } from '../support/duckdb.ts';
import type { Answer, TestService } from '../support/service.ts';
import { ASSETS, type allRows, assertProblem, FACTS, LISTING, startContractService } from './contract.ts';
import { MARKET, marketSource, NOW, wave } from './market.ts';

const EXPORT = '/v1/crypto/export';
const tiers = resolveTiers('team: export=yes; barred: rows=1000 export=no');
const NAMES = ['free', 'basic', 'pro', 'unlimited', 'team', 'barred'] as const;
const KEYS = Object.fromEntries(NAMES.map(name => [name, newApiKey()])) as Record<(typeof NAMES)[number], string>;
const ring = new KeyRing();
const clock = { now: NOW };
const pro = { headers: { 'x-api-key': KEYS.pro } };

function setKeys(...revoked: readonly string[]): void {
  ring.replace(
    NAMES.map((name, slot) => ({
      id: `key_${name}`,
      hash: hashOf(KEYS[name]),
      tier: { ...tiers.get(name)!, rate: 1e6, burst: 1e6, quota: 1e9 },
      slot,
      revoked: revoked.includes(name),
      expires: null,
    })),
  );
}

let service: TestService;
let file: Answer;
let address: string;

before(async () => {
  setKeys();
  service = await startContractService({
    now: () => clock.now,
    ...keysAccess({
      ring,
      limits: new SharedLimits(),
      penalties: new Penalties(),
      servers: () => 1,
      now: () => clock.now,
      micros: monotonicMicros,
      holdMs: 0,
    }),
  });
  address = await redirected(`${EXPORT}/ta-cur.parquet`);
  file = await service.ask(address, pro);
});
after(() => service.close());

async function redirected(path: string, headers: Readonly<Record<string, string>> = pro.headers): Promise<string> {
  const answer = await service.ask(path, { headers });
  assert.equal(answer.status, 307, answer.text);
  assert.equal(answer.body.length, 0);
  assert.match(answer.headers['cache-control']!, /^private, max-age=\d+$/);
  return answer.headers.location!;
}

describe('SPEC 18: the whole dataset as Parquet', () => {
  for (const [dataset, listing] of [
    ['ta-cur', LISTING],
    ['assets', ASSETS],
  ] as const) {
    it(`${dataset}.parquet has every row of the listing, bit for bit, nulls included`, async () => {
      const { body, headers, status } = await service.ask(await redirected(`${EXPORT}/${dataset}.parquet`), pro);
      assert.equal(status, 200);
      const path = join(tmpdir(), `tidemark-export-${process.pid}-${dataset}.parquet`);
      writeFileSync(path, body);
      try {
        const rows = await duckRows(`SELECT * FROM '${path}'`);
        const listed = await allRowsWithKey(listing);
        assert.equal(headers['x-row-count'], String(listed.length));
        assert.deepEqual(
          rows.map(row => asListed(row, dataset === 'ta-cur')),
          listed,
        );
      } finally {
        rmSync(path);
      }
    });
  }

  async function allRowsWithKey(listing: string) {
    const by = listing === LISTING ? 'symbol' : 'id';
    const { result } = await service.get<{ result: Awaited<ReturnType<typeof allRows>> }>(
      `${listing}?limit=100000&sort=${by}&order=asc${listing === LISTING ? `&${FACTS}` : ''}`,
      { 'x-api-key': KEYS.unlimited },
    );
    return [...result];
  }

  for (const dataset of ['bars', 'ta-hist'] as const) {
    it(`${dataset}.parquet has every day of every asset, by id and day, bit for bit`, async () => {
      const { body, headers, status } = await service.ask(await redirected(`${EXPORT}/${dataset}.parquet`), pro);
      assert.equal(status, 200);
      const path = join(tmpdir(), `tidemark-export-${process.pid}-${dataset}.parquet`);
      writeFileSync(path, body);
      try {
        const rows = await duckRows(`SELECT * FROM '${path}'`);
        assert.equal(headers['x-row-count'], String(rows.length));
        const ids = rows.map(row => String(row['id']));
        assert.deepEqual(ids, ids.toSorted());
        const byId = Map.groupBy(rows, row => String(row['id']));
        assert.equal(byId.size, MARKET.filter(({ closes }) => closes.length > 0).length);
        for (const [id, days] of byId) {
          const { result } = await service.get<{ result: Awaited<ReturnType<typeof allRows>> }>(
            `/v1/crypto/${dataset}?id=${encodeURIComponent(id)}&order=asc&limit=100000`,
            { 'x-api-key': KEYS.unlimited },
          );
          const own = days.map(({ id: _, symbol, ...row }) =>
            asListed(dataset === 'ta-hist' ? { ...row, symbol } : row, true),
          );
          assert.deepEqual(own, result, id);
        }
        const [first] = await duckRows(
          `SELECT decode(value) AS text FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'tidemark.dataset'`,
        );
        assert.deepEqual(first, { text: dataset });
      } finally {
        rmSync(path);
      }
    });
  }

  it('the redirect names the version and is not to be guessed', () => {
    assert.match(address, /^\/v1\/crypto\/export\/ta-cur\/\d+-[\w-]{10}\.parquet$/);
    assert.ok(address.includes(file.headers['x-data-version']!.toString()));
  });

  it('has its type, its digest, a strong tag, and may be cached for good', () => {
    const { headers, body } = file;
    assert.equal(headers['content-type'], 'application/vnd.apache.parquet');
    const digest = createHash('sha256').update(body);
    assert.equal(headers['repr-digest'], `sha-256=:${digest.copy().digest('base64')}:`);
    assert.equal(headers.etag, `"${digest.digest('base64url')}"`);
    assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable');
    assert.equal(headers['content-length'], String(body.length));
    assert.equal(headers['accept-ranges'], 'bytes');
    assert.match(headers['content-disposition']!, /^attachment; filename="crypto-ta-cur-\d+-[\w-]{10}\.parquet"$/);
  });

  it('is never compressed again', async () => {
    const { headers, body } = await service.ask(address, {
      headers: { ...pro.headers, 'accept-encoding': 'zstd, br, gzip' },
    });
    assert.equal(headers['content-encoding'], undefined);
    assert.deepEqual(body, file.body);
  });

  it('HEAD has the same headers, and ignores a range', async () => {
    const head = await service.ask(address, { method: 'HEAD', headers: { ...pro.headers, range: 'bytes=0-9' } });
    assert.equal(head.status, 200);
    const compared = ['content-length', 'etag', 'repr-digest', 'x-row-count', 'accept-ranges', 'content-type'] as const;
    for (const name of compared) assert.equal(head.headers[name], file.headers[name], name);
    const redirect = await service.ask(`${EXPORT}/ta-cur.parquet`, { method: 'HEAD', ...pro });
    assert.equal(redirect.headers.location, address);
  });
});

describe('RFC 9110 14: ranges', () => {
  const part = (range: string, headers = {}) =>
    service.ask(address, { headers: { ...pro.headers, range, ...headers } });

  it('a range, an open range, a suffix', async () => {
    const size = file.body.length;
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-3', 0, 3],
      ['BYTES=4-99', 4, 99],
      ['bytes=100-', 100, size - 1],
      ['bytes=-8', size - 8, size - 1],
      [`bytes=-${size + 5}`, 0, size - 1],
      [`bytes=${size - 1}-`, size - 1, size - 1],
      [`bytes=10-${size + 100}`, 10, size - 1],
      ['bytes=0-99999999999999999999', 0, size - 1],
    ] as const) {
      const { status, headers, body } = await part(range);
      assert.equal(status, 206, range);
      assert.equal(headers['content-range'], `bytes ${from}-${to}/${size}`);
      assert.equal(headers['content-length'], String(to - from + 1));
      assert.deepEqual(body, file.body.subarray(from, to + 1), range);
      assert.equal(headers['repr-digest'], file.headers['repr-digest']);
      assert.equal(headers.etag, file.headers.etag);
    }
  });

  it('what is not one range of bytes is ignored', async () => {
    for (const range of ['bytes=5-4', 'bytes=', 'bytes=-', 'bytes=a-b', 'rows=0-5', 'bytes 0-5', 'bytes=0-1,4-5']) {
      const { status, body } = await part(range);
      assert.equal(status, 200, range);
      assert.equal(body.length, file.body.length);
    }
  });

  it('a range after the end is 416 with the size', async () => {
    for (const range of [`bytes=${file.body.length}-`, 'bytes=-0', 'bytes=99999999999-']) {
      const answer = await part(range);
      assertProblem(answer, 416, 'range_not_satisfiable');
      assert.equal(answer.headers['content-range'], `bytes */${file.body.length}`);
    }
  });

  it('If-Range with the tag gives the range, with another or a date the whole file', async () => {
    const { etag } = file.headers;
    assert.equal((await part('bytes=0-3', { 'if-range': etag! })).status, 206);
    for (const other of ['"other"', `W/${etag}`, 'Sat, 14 Nov 2026 00:00:00 GMT']) {
      assert.equal((await part('bytes=0-3', { 'if-range': other })).status, 200);
    }
  });

  it('conditions come before the range', async () => {
    const { etag } = file.headers;
    assert.equal((await part('bytes=0-3', { 'if-none-match': etag! })).status, 304);
    assert.equal((await part('bytes=0-3', { 'if-match': `"x", ${etag}` })).status, 206);
    assert.equal((await part('bytes=0-3', { 'if-match': '*' })).status, 206);
    assertProblem(await part('bytes=0-3', { 'if-match': '"other"' }), 412, 'precondition_failed');
    assertProblem(await part('bytes=0-3', { 'if-match': `W/${etag}` }), 412, 'precondition_failed');
  });

  it('many clients at once put the file together', async () => {
    const step = 1000;
    const starts = Array.from({ length: Math.ceil(file.body.length / step) }, (_, i) => i * step);
    const parts = await Promise.all(starts.map(start => part(`bytes=${start}-${start + step - 1}`)));
    assert.deepEqual(Buffer.concat(parts.map(({ body }) => body)), file.body);
  });
});

describe('a range of the address without a version', () => {
  const path = `${EXPORT}/ta-cur.parquet`;

  it('is 416 with the address of the version: the next one could be of another file', async () => {
    for (const range of ['bytes=0-3', 'bytes=-8', 'bytes=4-', 'bytes=99999999999-']) {
      const answer = await service.ask(path, { headers: { ...pro.headers, range } });
      const problem = assertProblem(answer, 416, 'range_needs_version');
      assert.ok(problem.hint?.endsWith(address), problem.hint);
      assert.equal(answer.headers['link'], `<${address}>; rel="latest-version"`);
      assert.equal(answer.headers['content-range'], `bytes */${file.body.length}`);
    }
  });

  it('is redirected if a condition names the file that the client has a part of', async () => {
    const { etag } = file.headers;
    for (const [condition, tag, status] of [
      ['if-range', etag!, 206],
      ['if-range', '"another"', 200],
      ['if-match', etag!, 206],
      ['if-match', '"another"', 412],
    ] as const) {
      const headers = { ...pro.headers, range: 'bytes=0-3', [condition]: tag };
      const location = await redirected(path, headers);
      assert.equal((await service.ask(location, { headers })).status, status, `${condition}: ${tag}`);
    }
    const any = await service.ask(path, { headers: { ...pro.headers, range: 'bytes=0-3', 'if-match': '*' } });
    assertProblem(any, 416, 'range_needs_version');
  });

  it('is redirected if it is not one range of bytes, which is ignored, and for HEAD', async () => {
    assert.equal(await redirected(path, { ...pro.headers, range: 'bytes=0-1,4-5' }), address);
    const head = await service.ask(path, { method: 'HEAD', headers: { ...pro.headers, range: 'bytes=0-1' } });
    assert.equal(head.headers.location, address);
  });

  it('has the signature if the API key was in the URL', async () => {
    const answer = await service.ask(`${path}?api_key=${KEYS.pro}`, { headers: { range: 'bytes=-8' } });
    const [, location = ''] = /<(.*)>/.exec(String(answer.headers['link'])) ?? [];
    assert.match(location, /\?signature=/);
    assert.equal((await service.ask(location, { headers: { range: 'bytes=-4' } })).text, 'PAR1');
  });
});

describe('SPEC 18: the right to export', () => {
  for (const [name, allowed] of [
    ['free', false],
    ['basic', false],
    ['pro', true],
    ['unlimited', true],
    ['team', true],
    ['barred', false],
  ] as const) {
    it(`${name}: ${allowed ? 'yes' : 'no'}`, async () => {
      const headers = { 'x-api-key': KEYS[name] };
      const answers = [
        await service.ask(`${EXPORT}/assets.parquet`, { headers }),
        await service.ask(address, { headers }),
      ];
      if (allowed) {
        assert.deepEqual(
          answers.map(({ status }) => status),
          [307, 200],
        );
      } else for (const answer of answers) assertProblem(answer, 403, 'not_in_tier');
    });
  }

  it('no API key is 401', async () => {
    assertProblem(await service.ask(`${EXPORT}/assets.parquet`), 401, 'missing_key');
    assertProblem(await service.ask(address), 401, 'missing_key');
  });
});

describe('an API key in the URL', () => {
  const path = `${EXPORT}/ta-cur.parquet?api_key=${KEYS.pro}`;
  after(() => {
    clock.now = NOW;
    setKeys();
  });

  it('leads to a signed address without the key, which works for HEAD, GET and ranges', async () => {
    const signed = await redirected(path, {});
    assert.ok(!signed.includes(KEYS.pro) && !signed.includes('api_key'));
    assert.equal(signed.split('?')[0], address);
    assert.equal((await service.ask(signed, { method: 'HEAD' })).headers['content-length'], String(file.body.length));
    assert.deepEqual((await service.ask(signed)).body, file.body);
    assert.equal((await service.ask(signed, { headers: { range: 'bytes=-4' } })).text, 'PAR1');
  });

  it('the signature is of one address, one API key and one hour', async () => {
    const signed = await redirected(path, {});
    const assets = (await redirected(`${EXPORT}/assets.parquet`)).split('?')[0]!;
    assertProblem(await service.ask(`${assets}?${signed.split('?')[1]}`), 401, 'bad_signature');
    assertProblem(await service.ask(`${LISTING}?${signed.split('?')[1]}`), 401, 'missing_key');
    for (const wrong of [
      signed.replace('key_pro', 'key_free'),
      signed.replace('key_pro', 'key_none'),
      signed.slice(0, -1) + (signed.endsWith('A') ? 'E' : 'A'),
      signed.slice(0, -1),
      signed.replace(/=(\d)/, '=9$1'),
      `${address}?signature=`,
    ]) {
      assertProblem(await service.ask(wrong), 401, 'bad_signature');
    }
    clock.now = NOW + 3_599_000;
    assert.equal((await service.ask(signed)).status, 200);
    clock.now = NOW + 3_601_000;
    assertProblem(await service.ask(signed), 401, 'bad_signature');
    clock.now = NOW;
    setKeys('pro');
    assertProblem(await service.ask(signed), 401, 'revoked_key');
  });
});

describe('a file that cannot be made', () => {
  for (const [failure, code] of [
    ['failed', 'export_failed'],
    ['busy', 'overloaded'],
    ['too large', 'export_failed'],
  ] as const) {
    it(`is 503 ${code} with Retry-After`, async () => {
      const troubled = await startContractService({ exportFile: async () => failure });
      try {
        for (const path of [`${EXPORT}/ta-cur.parquet`, address]) {
          const answer = await troubled.ask(path);
          assertProblem(answer, 503, code);
          assert.match(String(answer.headers['retry-after']), /^\d+$/);
        }
      } finally {
        await troubled.close();
      }
    });
  }

  it('is 503 export_pending once a request has waited for 20 seconds', async t => {
    const slow = await startContractService({ exportFile: () => new Promise(() => {}) });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const answer = slow.ask(`${EXPORT}/bars.parquet`);
      while ((await Promise.race([answer, new Promise(resolve => setImmediate(resolve, 'waiting'))])) === 'waiting') {
        t.mock.timers.tick(500);
      }
      assertProblem(await answer, 503, 'export_pending');
      assert.match(String((await answer).headers['retry-after']), /^\d+$/);
    } finally {
      t.mock.timers.reset();
      await slow.close();
    }
  });

  it('is 503 no_data before there is data', async () => {
    const empty = await startContractService({ sources: [] });
    assertProblem(await empty.ask(`${EXPORT}/ta-cur.parquet`), 503, 'no_data');
    await empty.close();
  });
});

describe('versions', () => {
  it('what is not an export is 404, and a parameter is refused', async () => {
    for (const name of ['events.parquet', 'ta-cur', 'ta-cur.csv', 'bars', '.parquet']) {
      assertProblem(await service.ask(`${EXPORT}/${name}`, pro), 404, 'not_found');
    }
    assertProblem(await service.ask(`${EXPORT}/ta-cur.parquet?limit=5`, pro), 400, 'unknown_parameter', 'limit');
  });

  it('old versions are served while they are kept; then they are 410 with the way to the current one', async () => {
    const versions = [address];
    after(() => {
      clock.now = NOW;
    });
    for (let i = 1; i <= 3; i++) {
      const changed = {
        symbol: 'BTC',
        name: 'Bitcoin',
        closes: wave(420, 61_000 + i, i),
        profile: MARKET[0]!.profile!,
      };
      await service.load(marketSource([changed]));
      versions.push(await redirected(`${EXPORT}/ta-cur.parquet`));
    }
    assert.equal(new Set(versions).size, versions.length);
    // A client may be reading any of them.
    for (const version of versions) assert.equal((await service.ask(version, pro)).status, 200);
    clock.now += IN_USE_MS + 1;
    await redirected(`${EXPORT}/assets.parquet`);
    const [first, ...kept] = versions;
    for (const version of kept) assert.equal((await service.ask(version, pro)).status, 200);
    const problem = assertProblem(await service.ask(first!, pro), 410, 'export_gone');
    assert.equal(problem.hint, `${EXPORT}/ta-cur.parquet redirects to the current version.`);
    assertProblem(await service.ask(`${EXPORT}/ta-cur/9999999999999-aaaaaaaaaa.parquet`, pro), 410, 'export_gone');
    assertProblem(await service.ask(`${EXPORT}/ta-cur/other.parquet`, pro), 410, 'export_gone');
  });

  it('a byte that was changed on the disk is not served under the digest of the file', async () => {
    const current = await redirected(`${EXPORT}/ta-cur.parquet`);
    const [name = ''] = readdirSync(service.exportsFolder)
      .filter(each => each.startsWith('ta-cur.'))
      .sort()
      .slice(-1);
    const path = join(service.exportsFolder, name);
    const content = readFileSync(path);
    content[content.length >> 1]! ^= 1;
    writeFileSync(path, content);
    utimesSync(path, new Date(), new Date(Date.now() + 2000));
    const answers = await Promise.all(Array.from({ length: 15 }, () => service.ask(current, pro)));
    for (const { status, body, headers } of answers) {
      assert.equal(status, 200);
      assert.equal(headers['repr-digest'], `sha-256=:${createHash('sha256').update(body).digest('base64')}:`);
    }
  });

  it('a file that was removed by hand is made again', async () => {
    const current = await redirected(`${EXPORT}/ta-cur.parquet`);
    assert.equal((await service.ask(current, pro)).status, 200);
    for (const name of readdirSync(service.exportsFolder)) rmSync(join(service.exportsFolder, name));
    assert.equal((await service.ask(current, pro)).status, 200);
    for (const name of readdirSync(service.exportsFolder)) rmSync(join(service.exportsFolder, name));
    assert.equal((await service.ask(await redirected(`${EXPORT}/ta-cur.parquet`), pro)).status, 200);
  });
});

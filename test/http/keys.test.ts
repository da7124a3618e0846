import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, beforeEach, describe, it } from 'node:test';
import { KeyRing } from '../../src/access/key-ring.ts';
import { Penalties } from '../../src/access/penalties.ts';
import { SharedLimits } from '../../src/access/shared-limits.ts';
import { hashOf, newApiKey } from '../../src/domain/api-key.ts';
import type { Day } from '../../src/domain/day.ts';
import { resolveTiers, TIERS } from '../../src/domain/tiers.ts';
import { type KeysAccess, keysAccess } from '../../src/http/authentication/by-api-key.ts';
import { KeySlots } from '../../src/serve/key-slots.ts';
import type { StoredKey } from '../../src/store/store.ts';
import type { AskOptions, TestService } from '../support/service.ts';
import { assertProblem, assertRpcProblem, type Envelope, LISTING, startContractService } from './contract.ts';
import { NOW, TODAY } from './market.ts';

const KEYS = {
  free: newApiKey(),
  pro: newApiKey(),
  revoked: newApiKey(),
  expired: newApiKey(),
  lastDay: newApiKey(),
  tight: newApiKey(),
};

function stored(name: keyof typeof KEYS, tier: string, changes: Partial<StoredKey> = {}): StoredKey {
  const facts = { name: null, expires: null, createdAt: '', revokedAt: null };
  return { id: `key_${name}`, hash: hashOf(KEYS[name]), tier, ...facts, ...changes };
}

const tiers = resolveTiers('tight: rate=2 burst=3 quota=8');
const ring = new KeyRing();
ring.replace(
  new KeySlots().assign(
    [
      stored('free', 'free'),
      stored('pro', 'pro'),
      stored('revoked', 'pro', { revokedAt: '2026-01-01T00:00:00Z' }),
      stored('expired', 'pro', { expires: (TODAY - 1) as Day }),
      stored('lastDay', 'pro', { expires: TODAY }),
      stored('tight', 'tight'),
    ],
    tiers,
  ),
);

/** Time that passes only when a test says so. */
const clock = { now: NOW };
/** That share the rates. */
let servers = 1;
let access: KeysAccess;
let service: TestService;

function freshAccess(holdMs = 0): void {
  const limits = new SharedLimits();
  const micros = () => BigInt(Math.round(clock.now * 1000));
  access = keysAccess({
    ring,
    limits,
    penalties: new Penalties(),
    servers: () => servers,
    now: () => clock.now,
    micros,
    holdMs,
  });
}

before(async () => {
  service = await startContractService({
    identify: caller => access.identify(caller),
    authenticate: caller => access.authenticate(caller),
    now: () => clock.now,
  });
});
after(() => service.close());
beforeEach(() => {
  clock.now = NOW;
  freshAccess();
});

const withKey = (key: string): AskOptions => ({ headers: { 'x-api-key': key } });
const askWith = (key: string, path = LISTING) => service.ask(path, withKey(key));

describe('a key far above its rate', () => {
  it('is refused at once 20 times, then held back, and again at once with each second that passes', () => {
    freshAccess(700);
    const caller = { headers: { 'x-api-key': KEYS.tight }, url: LISTING, connection: {}, address: '192.0.2.1' };
    const holds = (count: number) =>
      Array.from({ length: count }, () => access.authenticate(caller)).flatMap(grant =>
        'refusal' in grant ? [grant.holdMs] : [],
      );
    assert.deepEqual(holds(3), [], 'within its burst');
    assert.deepEqual(holds(22), [...Array<number>(20).fill(0), 700, 700]);
    clock.now += 1000;
    assert.deepEqual(holds(4), [0, 700], 'two are accepted, one is refused at once');
  });
});

describe('SPEC 7: a key is sent', () => {
  for (const [way, path, headers] of [
    ['as Authorization: Bearer', LISTING, { authorization: `Bearer ${KEYS.pro}` }],
    ['as Authorization: Token', LISTING, { authorization: `Token ${KEYS.pro}` }],
    ['as X-API-Key', LISTING, { 'x-api-key': KEYS.pro }],
    ['as api_key', `${LISTING}?api_key=${KEYS.pro}`, {}],
    ['in two ways, the same', `${LISTING}?api_key=${KEYS.pro}`, { 'x-api-key': KEYS.pro }],
  ] as const) {
    it(way, async () => assert.equal((await service.ask(path, { headers })).status, 200));
  }

  it('alone in Authorization, as CoinPaprika’s clients send it', async () => {
    assert.equal((await service.ask(LISTING, { headers: { authorization: KEYS.pro } })).status, 200);
  });

  it('behind the id, by CoinPaprika’s Node client, which sends no header', async () => {
    // The package has no types.
    const Client = createRequire(import.meta.url)('@coinpaprika/api-nodejs-client') as new () => {
      url: string;
      getCoin(id: string): Promise<{ readonly id?: string; readonly code?: string }>;
    };
    const client = new Client();
    client.url = `${service.url}/v1`;
    assert.equal((await client.getCoin('btc-bitcoin')).code, 'missing_key');
    assert.equal((await client.getCoin(`btc-bitcoin?api_key=${KEYS.pro}`)).id, 'btc-bitcoin');
  });

  it('and two different ones in one request are an error', async () => {
    const answer = await service.ask(`${LISTING}?api_key=${KEYS.free}`, withKey(KEYS.pro));
    assertProblem(answer, 400, 'conflicting_keys');
  });

  it('and never comes back: not in links, not in errors, not in headers', async () => {
    for (const query of ['limit=5', 'limt=5', 'price=x', 'page=99999', 'format=csv', 'meta=true&limit=1']) {
      const answer = await service.ask(`${LISTING}?${query}&api_key=${KEYS.pro}`);
      assert.ok(!answer.text.includes(KEYS.pro), query);
      assert.ok(!JSON.stringify(answer.headers).includes(KEYS.pro), query);
    }
  });
});

describe('SPEC 7: without a good key the answer is 401, each with its own code', () => {
  const oneLetterOff = `${KEYS.pro.slice(0, 10)}${KEYS.pro[10] === 'a' ? 'b' : 'a'}${KEYS.pro.slice(11)}`;
  for (const [what, headers, code] of [
    ['none', {}, 'missing_key'],
    ['a mistyped one', { 'x-api-key': oneLetterOff }, 'mistyped_key'],
    ['one that is no key at all', { 'x-api-key': 'password' }, 'mistyped_key'],
    ['an unknown one', { 'x-api-key': newApiKey() }, 'unknown_key'],
    ['a revoked one', { 'x-api-key': KEYS.revoked }, 'revoked_key'],
    ['an expired one', { 'x-api-key': KEYS.expired }, 'expired_key'],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'bad_authorization'],
  ] as const) {
    it(what, async () => {
      const answer = await service.ask(LISTING, { headers });
      assertProblem(answer, 401, code, code === 'bad_authorization' ? 'Authorization' : undefined);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="tidemark"/);
    });
  }

  it('a key is good until the end of its last day', async () => {
    assert.equal((await askWith(KEYS.lastDay)).status, 200);
    clock.now = (TODAY + 1) * 86_400_000;
    assertProblem(await askWith(KEYS.lastDay), 401, 'expired_key');
  });

  it('who may not ask is told so before anything else is looked at', async () => {
    assertProblem(await service.ask(`${LISTING}?limt=1`), 401, 'missing_key');
  });

  it('health, readiness, metrics, catalogue, description and reference need none', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/catalog', '/v1/openapi.json', '/docs']) {
      assert.equal((await service.ask(path)).status, 200, path);
    }
  });

  it('profiles do, at both of their paths, and the other listings', async () => {
    const profiles = ['/v1/crypto/assets/btc-bitcoin', '/v1/coins/btc-bitcoin'];
    for (const path of [...profiles, '/v1/crypto/assets', '/v1/crypto/ta-hist?symbol=btc']) {
      assertProblem(await service.ask(path), 401, 'missing_key');
      assert.equal((await askWith(KEYS.pro, path)).status, 200);
    }
  });
});

describe('SPEC 7: the free tier', () => {
  it('gets 5 rows for limit=1000, links with limit=5, the header that says so, and the next pages follow', async () => {
    const first = await askWith(KEYS.free, `${LISTING}?limit=1000&sort=symbol&order=asc`);
    const page = first.json<Envelope>();
    assert.equal(page.results_returned, 5);
    assert.equal(first.headers['x-limit-applied'], '5');
    assert.match(page.next ?? '', /\?limit=5&sort=symbol&order=asc&page=2$/);
    const second = (await askWith(KEYS.free, page.next ?? '')).json<Envelope>();
    assert.equal(second.results_returned, 5);
    const symbols = [...page.result, ...second.result].map(row => String(row['symbol']));
    assert.equal(new Set(symbols).size, 10);
  });
});

describe('SPEC 7: limits', () => {
  const ofTight = (path?: string) => askWith(KEYS.tight, path);

  it('every keyed answer states them, errors and 304 included', async () => {
    const first = await ofTight();
    assert.equal(first.headers['ratelimit-policy'], '"rate";q=3;w=2, "day";q=8;w=86400');
    assert.equal(first.headers['ratelimit'], '"rate";r=2;t=1, "day";r=7;t=41104');
    assert.match(String((await ofTight(`${LISTING}?limt=1`)).headers['ratelimit']), /"day";r=6/);
    const again = { headers: { 'x-api-key': KEYS.tight, 'if-none-match': String(first.headers.etag) } };
    const unchanged = await service.ask(LISTING, again);
    assert.equal(unchanged.status, 304);
    assert.match(String(unchanged.headers['ratelimit']), /"rate";r=0;.*"day";r=5/);
  });

  it('are those that this server grants while others share the rate', async () => {
    servers = 2;
    const shared = await ofTight();
    assert.equal(shared.headers['ratelimit-policy'], '"rate";q=1;w=1, "day";q=8;w=86400');
    assert.match(String(shared.headers['ratelimit']), /^"rate";r=0;/);
    assertProblem(await ofTight(), 429, 'rate_limited');
    servers = 1;
    assert.match(String((await ofTight()).headers['ratelimit-policy']), /^"rate";q=3;w=2,/);
  });

  it('above the rate the answer is 429, and a client that waits for Retry-After is served', async () => {
    for (let i = 0; i < 3; i++) assert.equal((await ofTight()).status, 200);
    const refused = await ofTight();
    assertProblem(refused, 429, 'rate_limited');
    const seconds = Number(refused.headers['retry-after']);
    assert.equal(seconds, 1);
    assert.match(String(refused.headers['ratelimit']), /^"rate";r=0;t=2, "day";r=5;/);
    clock.now += seconds * 1000;
    assert.equal((await ofTight()).status, 200);
  });

  it('above the daily quota the answer is 429 until midnight UTC', async () => {
    for (let i = 0; i < 8; i++) {
      assert.equal((await ofTight()).status, 200, `request ${i}`);
      clock.now += 1000;
    }
    const refused = await ofTight();
    assertProblem(refused, 429, 'quota_exceeded');
    assert.match(String(refused.headers['ratelimit']), /^"rate";r=3;t=0, "day";r=0;t=41096$/);
    clock.now += Number(refused.headers['retry-after']) * 1000 - 1000;
    assertProblem(await ofTight(), 429, 'quota_exceeded');
    clock.now += 1000;
    assert.equal((await ofTight()).status, 200);
  });

  it('of one key do not touch another', async () => {
    for (let i = 0; i < 5; i++) await ofTight();
    assert.equal((await askWith(KEYS.pro)).status, 200);
  });

  it('guessing is slowed down: after twenty bad keys the address is not heard, and is again after Retry-After', async () => {
    for (let i = 0; i < 20; i++) assertProblem(await askWith(newApiKey()), 401, 'unknown_key');
    const slowed = await askWith(newApiKey());
    assertProblem(slowed, 429, 'too_many_bad_keys');
    clock.now += Number(slowed.headers['retry-after']) * 1000;
    assert.equal((await askWith(KEYS.pro)).status, 200);
  });

  it('behind a trusted proxy, guesses are counted by the address that the proxy adds, not by what the client writes', async () => {
    const proxied = await startContractService({
      identify: caller => access.identify(caller),
      authenticate: caller => access.authenticate(caller),
      now: () => clock.now,
      trustProxy: { kind: 'x-forwarded', hops: 1 },
    });
    const guess = (forwarded: string) =>
      proxied.ask(LISTING, {
        headers: {
          'x-api-key': newApiKey(),
          'x-forwarded-for': forwarded,
          forwarded: `for=${forwarded.split(',')[0]}`,
        },
      });
    for (let i = 0; i < 20; i++) assertProblem(await guess(`10.0.0.${i}, 203.0.113.9`), 401, 'unknown_key');
    assertProblem(await guess('10.0.0.99, 203.0.113.9'), 429, 'too_many_bad_keys');
    assertProblem(await guess('203.0.113.10'), 401, 'unknown_key');
    // One client has a whole /64 of IPv6 addresses.
    for (let i = 0; i < 20; i++) assertProblem(await guess(`2001:db8::${i + 1}`), 401, 'unknown_key');
    assertProblem(await guess('2001:db8::99'), 429, 'too_many_bad_keys');
    assertProblem(await guess('2001:db8:0:1::99'), 401, 'unknown_key');
    await proxied.close();
  });

  it('a tier that is configured no more has the limits of the free one', async () => {
    const [orphaned] = new KeySlots().assign([stored('pro', 'gone')], tiers);
    assert.equal(orphaned?.tier, TIERS.free);
  });
});

describe('SPEC 19: a call of a tool', () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"screen_assets","arguments":{}}}';
  const call = (headers: Readonly<Record<string, string>>) =>
    service.ask('/mcp', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });

  it('needs an API key, by Bearer or X-API-Key', async () => {
    const refused = await call({});
    assertRpcProblem(refused, 401, 'missing_key');
    assert.match(String(refused.headers['www-authenticate']), /^Bearer/);
    assertRpcProblem(await call({ 'x-api-key': KEYS.revoked }), 401, 'revoked_key');
    for (const headers of [{ authorization: `Bearer ${KEYS.pro}` }, { 'x-api-key': KEYS.pro }]) {
      const answer = await call(headers);
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers['ratelimit']), /"rate";r=\d+/);
    }
  });

  it('takes the API key in the URL, for clients that cannot send a header', async () => {
    const ask = (key: string) =>
      service.ask(`/mcp?api_key=${key}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = await ask(KEYS.pro);
    assert.equal(answer.status, 200);
    assert.ok(!answer.text.includes(KEYS.pro));
    assertRpcProblem(await ask(KEYS.revoked), 401, 'revoked_key');
  });

  it('counts as one request: a flood is limited by key exactly as one of REST is, and both together', async () => {
    const flood = async (ask: (i: number) => Promise<{ status: number }>) => {
      freshAccess();
      return (await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)))).map(({ status }) => status).sort();
    };
    const rest = await flood(() => askWith(KEYS.tight));
    const tools = await flood(() => call({ 'x-api-key': KEYS.tight }));
    const mixed = await flood(i => (i % 2 === 0 ? call({ 'x-api-key': KEYS.tight }) : askWith(KEYS.tight)));
    assert.deepEqual(rest, [...Array(3).fill(200), ...Array(9).fill(429)]);
    assert.deepEqual(tools, rest);
    assert.deepEqual(mixed, rest);
    const refused = await call({ 'x-api-key': KEYS.tight });
    assertRpcProblem(refused, 429, 'rate_limited');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal((await call({ 'x-api-key': KEYS.pro })).status, 200);
  });
});

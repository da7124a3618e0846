import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { ASSETS, assertProblem, PROFILE_FIELDS, startContractService } from './contract.ts';
import { COMPLETE_PROFILE } from './market.ts';

type ProfileRecord = Readonly<Record<string, unknown>>;

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

const profile = (id: string) => service.get<ProfileRecord>(`${ASSETS}/${id}`);

describe('SPEC 2: looking a profile up', () => {
  for (const id of ['btc-bitcoin', 'BTC-Bitcoin', 'BTC-BITCOIN', 'btc', 'BTC', 'Btc', '%62tc', 'b%74c-bitcoin']) {
    it(`${id} finds btc-bitcoin`, async () => assert.equal((await profile(id))['id'], 'btc-bitcoin'));
  }

  it('a ticker of any script finds its asset', async () => {
    assert.equal((await profile(encodeURIComponent('比特币')))['symbol'], '比特币');
    assert.equal((await profile(encodeURIComponent('δelta')))['symbol'], 'ΔELTA');
  });

  for (const id of ['TIDE', 'tide', 'Tide']) {
    it(`${id}, which several assets have, is 409 with their ids`, async () => {
      const problem = assertProblem(await service.ask(`${ASSETS}/${id}`), 409, 'ambiguous_symbol');
      assert.deepEqual(problem.candidates, ['tide-tide-first', 'tide-tide-gone', 'tide-tide-second']);
      for (const candidate of problem.candidates ?? []) assert.equal((await profile(candidate))['id'], candidate);
    });
  }

  it('an unknown id is 404 with the nearest one as a hint', async () => {
    const problem = assertProblem(await service.ask(`${ASSETS}/btc-bitcon`), 404, 'unknown_asset');
    assert.equal(problem.hint, 'Did you mean btc-bitcoin?');
  });

  for (const id of ['zzzzzzzz', '%00', 'a%2Fb', '%F0%9F%98%80', 'x'.repeat(900), 'x'.repeat(5000), '__proto__']) {
    it(`${id.slice(0, 20)} is 404 with a hint`, async () => {
      const problem = assertProblem(await service.ask(`${ASSETS}/${id}`), 404, 'unknown_asset');
      assert.match(problem.hint ?? '', /\S/);
      assert.ok(problem.detail.length < 200);
    });
  }

  it('takes no parameter but the key', async () => {
    assertProblem(await service.ask(`${ASSETS}/btc?limit=5`), 400, 'unknown_parameter', 'limit');
    assert.equal((await service.ask(`${ASSETS}/btc?api_key=a%20b`)).status, 200);
  });
});

describe('SPEC 6: the asset profile', () => {
  it('is read from the store once per second, however many requests ask for it', async t => {
    const reads = t.mock.method(service.store, 'profile');
    const began = Date.now();
    for (let i = 0; i < 30; i++) assert.equal((await profile('eth'))['symbol'], 'ETH');
    const seconds = Math.floor(Date.now() / 1000) - Math.floor(began / 1000) + 1;
    assert.ok(reads.mock.callCount() >= 1 && reads.mock.callCount() <= seconds, `${reads.mock.callCount()} reads`);
  });

  it('has exactly the seed’s 22 fields in the seed’s order, with no envelope', async () => {
    assert.equal(PROFILE_FIELDS.length, 22);
    for (const id of ['btc', 'eth', 'ghost', 'bare', 'one', 'dead']) {
      assert.deepEqual(Object.keys(await profile(id)), PROFILE_FIELDS, id);
    }
  });

  it('is what the source said', async () => {
    const { links, ...rest } = COMPLETE_PROFILE;
    assert.deepEqual(await profile('btc'), {
      id: 'btc-bitcoin',
      name: 'Bitcoin',
      symbol: 'BTC',
      is_new: false,
      is_active: true,
      ...rest,
      links: { explorer: [], facebook: [], source_code: [], youtube: [], ...links },
      first_data_at: '2025-01-15T00:00:00Z',
    });
  });

  it('is null for an unknown text or time, [] for an unknown list, and has the six keys of links', async () => {
    const empty = {
      rank: null,
      type: null,
      tags: [],
      team: [],
      description: null,
      message: null,
      open_source: null,
      started_at: null,
      development_status: null,
      hardware_wallet: null,
      proof_type: null,
      org_structure: null,
      hash_algorithm: null,
      links: { explorer: [], facebook: [], reddit: [], source_code: [], website: [], youtube: [] },
      links_extended: [],
      whitepaper: { link: null, thumbnail: null },
    };
    assert.deepEqual(await profile('ghost'), {
      id: 'ghost-without-prices',
      name: 'Without prices',
      symbol: 'GHOST',
      is_new: false,
      is_active: false,
      ...empty,
      type: 'token',
      first_data_at: null,
    });
    assert.deepEqual(await profile('bare'), {
      id: 'bare-bare',
      name: 'BARE',
      symbol: 'BARE',
      is_new: false,
      is_active: true,
      ...empty,
      first_data_at: '2026-02-09T00:00:00Z',
    });
  });

  it('writes the keys of links, links_extended and whitepaper in the seed’s order', async () => {
    const btc = await profile('btc');
    const keys = (value: unknown) => Object.keys(Object(value));
    assert.deepEqual(keys(btc['links']), ['explorer', 'facebook', 'reddit', 'source_code', 'website', 'youtube']);
    assert.deepEqual(keys(btc['whitepaper']), ['link', 'thumbnail']);
    assert.deepEqual(keys([btc['tags']].flat()[0]), ['id', 'name', 'coin_counter', 'ico_counter']);
    assert.deepEqual(keys([btc['team']].flat()[0]), ['id', 'name', 'position']);
    assert.deepEqual([btc['links_extended']].flat().map(keys), [
      ['url', 'type', 'stats'],
      ['url', 'type', 'stats'],
      ['url', 'type'],
      ['url', 'type'],
    ]);
  });

  const states = [
    ['one', { is_new: true, is_active: true }],
    ['six', { is_new: true, is_active: true }],
    ['seven', { is_new: false, is_active: true }],
    ['edge', { is_new: false, is_active: true }],
    ['stale', { is_new: false, is_active: false }],
    ['dead', { is_new: false, is_active: false }],
    ['ghost', { is_new: false, is_active: false }],
  ] as const;
  for (const [id, state] of states) {
    it(`tells the state of ${id}: ${JSON.stringify(state)}`, async () => {
      const { is_new, is_active } = await profile(id);
      assert.deepEqual({ is_new, is_active }, state);
    });
  }

  it('can be asked for conditionally', async () => {
    const first = await service.ask(`${ASSETS}/btc`);
    const again = await service.ask(`${ASSETS}/btc-bitcoin`, {
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    const other = await service.ask(`${ASSETS}/eth`, { headers: { 'if-none-match': String(first.headers.etag) } });
    assert.equal(other.status, 200);
  });
});

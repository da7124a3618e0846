// What /readyz tells apart, and what answers say of the age of their data.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ServiceState } from '../../src/access/service-state.ts';
import { TestService } from '../support/service.ts';
import { ASSETS, assertProblem, HISTORY, LISTING, startContractService } from './contract.ts';
import { NOW } from './market.ts';

const STALE_AFTER = 60;
const state = new ServiceState();
const clock = { now: NOW };
let service: TestService;
before(async () => {
  service = await startContractService({ state, staleAfterSeconds: STALE_AFTER, now: () => clock.now });
});
after(() => service.close());

async function ready(of = service) {
  const { status, headers, text } = await of.ask('/readyz');
  const { reason, ...facts } = JSON.parse(text);
  if (status !== 200) assert.match(reason, /\S/);
  assert.equal(headers['retry-after'] !== undefined, status === 503);
  return { http: status, ...facts };
}

describe('/readyz', () => {
  it('is ready while the data is as young as it must be, also when the store is away', async () => {
    clock.now = NOW + STALE_AFTER * 1000;
    const version = await service.store.version();
    const { result: assets } = await service.get<{ result: { is_active: boolean; last_data_at: string | null }[] }>(
      '/v1/crypto/assets?limit=1000',
    );
    const days = assets.flatMap(asset => asset.last_data_at?.slice(0, 10) ?? []).sort();
    const inactive = assets.filter(asset => asset.last_data_at !== null && !asset.is_active).length;
    assert.ok(inactive > 0);
    const counts = { rows: 80, assets: 85, inactive, newest_day: days.at(-1), newest_tick: null };
    const facts = { http: 200, status: 'ready', version, ...counts, age: STALE_AFTER };
    assert.deepEqual(await ready(), { ...facts, store: 'current' });
    state.storeUnreachable = true;
    assert.deepEqual(await ready(), { ...facts, store: 'unreachable' });
    state.storeUnreachable = false;
  });

  it('is stale a second later, while everything is still answered', async () => {
    clock.now = NOW + (STALE_AFTER + 1) * 1000;
    const version = await service.store.version();
    assert.deepEqual(await ready(), { http: 503, status: 'stale', version, age: STALE_AFTER + 1 });
    assert.equal((await service.ask(LISTING)).status, 200);
    assert.equal((await service.ask('/healthz')).status, 200);
    clock.now = NOW;
    assert.equal((await ready()).status, 'ready');
  });

  it('is stopping as soon as the service is told to, while everything is still answered on lines that close', async () => {
    state.stopping = true;
    assert.deepEqual(await ready(), { http: 503, status: 'stopping' });
    const { status, headers } = await service.ask(LISTING);
    assert.deepEqual([status, headers.connection], [200, 'close']);
    state.stopping = false;
    assert.equal((await service.ask(LISTING)).headers.connection, 'keep-alive');
  });

  it('tells a store that is empty from one that cannot be read', async () => {
    const of = new ServiceState();
    const empty = await TestService.start({ state: of });
    try {
      assert.equal((await ready(empty)).status, 'loading');
      assertProblem(await empty.ask(LISTING), 503, 'no_data');
      of.storeUnreachable = true;
      assert.equal((await ready(empty)).status, 'broken');
      for (const path of [LISTING, ASSETS, `${ASSETS}/btc`, `${HISTORY}?symbol=btc`]) {
        const answer = await empty.ask(path);
        assertProblem(answer, 503, 'store_unavailable');
        assert.equal(answer.headers['retry-after'], '5');
      }
    } finally {
      await empty.close();
    }
  });
});

describe('the age of the data', () => {
  for (const path of [LISTING, `${LISTING}?format=csv`, ASSETS, `${HISTORY}?symbol=btc`, `${ASSETS}/btc`]) {
    it(`is on ${path}, with the version, also when it was not modified`, async () => {
      clock.now = NOW + 12_999;
      const version = String(await service.store.version());
      const { status, headers } = await service.ask(path);
      assert.deepEqual([status, headers['x-data-age'], headers['x-data-version']], [200, '12', version]);
      const again = await service.ask(path, { headers: { 'if-none-match': String(headers.etag) } });
      assert.deepEqual(
        [again.status, again.headers['x-data-age'], again.headers['x-data-version']],
        [304, '12', version],
      );
      clock.now = NOW;
    });
  }

  it('is 0 when the clock was set back', async () => {
    clock.now = NOW - 5000;
    assert.equal((await service.ask(LISTING)).headers['x-data-age'], '0');
    clock.now = NOW;
  });
});

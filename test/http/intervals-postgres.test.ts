// Intervals on PostgreSQL: every answer is the one that SQLite gives, bit for bit.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { FINE_NOW, fillFine } from '../support/fine-bars.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';
import { type Envelope, HISTORY, LISTING } from './contract.ts';

const BARS = '/v1/crypto/bars';

const services: TestService[] = [];
before(async () => {
  for (const store of [{}, { storeUrl: await freshPostgresUrl() }]) {
    const service = await TestService.start({ now: () => FINE_NOW, ...store });
    services.push(service);
    await fillFine(service.store);
    await service.refresh();
  }
});
after(() => Promise.all(services.map(service => service.close())));

for (const interval of ['1m', '15m', '1h', '12h', '1d', '1w'] as const) {
  it(`answers alike by ${interval}`, async () => {
    for (const path of [
      `${LISTING}?interval=${interval}&sort=symbol&order=asc&incl_cols=all`,
      `${LISTING}?interval=${interval}&sort=symbol&order=asc&as_of=2026-01-20T10:30Z`,
      `${LISTING}?interval=${interval}&sort=symbol&order=asc&calc=before:lag(price,2)`,
      `${HISTORY}?symbol=GAPPY&interval=${interval}&limit=10000&incl_cols=all`,
      `${BARS}?symbol=BARE&interval=${interval}&limit=10000`,
    ]) {
      const [sqlite, postgres] = await Promise.all(services.map(service => service.get<Envelope>(path)));
      assert.deepEqual(postgres!.result, sqlite!.result, path);
    }
    const closes = `/v1/crypto/closes?symbol=BTC,GAPPY&interval=${interval}&days=50`;
    const explanation = `/v1/crypto/explain/GAPPY/sma50?interval=${interval}`;
    for (const path of [closes, explanation]) {
      const [sqlite, postgres] = await Promise.all(services.map(service => service.get<object>(path)));
      assert.deepEqual(postgres, sqlite, path);
    }
  });
}

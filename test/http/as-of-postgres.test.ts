// Past days on PostgreSQL: the listing as of a day has the rows of the histories, bit for bit, and is the one that SQLite gives.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { freshPostgresUrl } from '../support/postgres.ts';
import type { TestService } from '../support/service.ts';
import { type Envelope, HISTORY, LISTING, startContractService } from './contract.ts';
import { idOf, TODAY } from './market.ts';
import { PAST_ASSETS, pastSources } from './past-market.ts';

let postgres: TestService;
let sqlite: TestService;
before(async () => {
  postgres = await startContractService({ sources: pastSources(), storeUrl: await freshPostgresUrl() });
  sqlite = await startContractService({ sources: pastSources() });
});
after(async () => {
  await postgres.close();
  await sqlite.close();
});

const iso = (ago: number) => new Date((TODAY - ago) * 86_400_000).toISOString().slice(0, 10);

for (const [ago, columns] of [
  [0, 'all'],
  [1, 'none'],
  [8, 'all'],
  [18, 'none'],
  [25, 'all'],
  [41, 'none'],
  [200, 'all'],
  [419, 'none'],
] as const) {
  it(`has the rows of the histories ${ago} days ago, with ${columns === 'all' ? 'all' : 'no'} optional columns`, async () => {
    const cols = columns === 'all' ? '&incl_cols=all' : '';
    const path = `${LISTING}?limit=1000&sort=symbol&order=asc&as_of=${iso(ago)}${cols}`;
    const { result } = await postgres.get<Envelope>(path);
    assert.ok(result.length > 0);
    assert.deepEqual(result, (await sqlite.get<Envelope>(path)).result);
    let compared = 0;
    for (const row of result) {
      const same = PAST_ASSETS.filter(({ symbol }) => symbol.toUpperCase() === String(row['symbol']).toUpperCase());
      const [asset] = same;
      // Several assets share a ticker, and one without a profile has another id.
      if (asset === undefined || same.length > 1 || asset.profile === null) continue;
      const day = String(row['datetimeUTC']).slice(0, 10);
      const history = `${HISTORY}?id=${encodeURIComponent(idOf(asset))}&from=${day}&to=${day}${cols}`;
      assert.deepEqual((await postgres.get<Envelope>(history)).result, [row]);
      compared++;
    }
    assert.ok(compared >= result.length - 2);
  });
}

it('has no row before the first close', async () => {
  assert.deepEqual((await postgres.get<Envelope>(`${LISTING}?as_of=2020-01-01`)).result, []);
});

// `inactive=true`: the listing with the assets that it leaves out otherwise.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import { ASSETS, assertProblem, type Envelope, HISTORY, LISTING, startContractService } from './contract.ts';
import { idOf, MARKET, marketSource, TODAY } from './market.ts';

const OLD = { symbol: 'OLD', name: 'Old', closes: [1, 2, 3, 4, 5], age: 40, profile: {} };
/** Shares its ticker with an active asset of a worse rank. */
const TWIN = { symbol: 'BTC', name: 'Twin', closes: [7, 8, 9], age: 30, profile: { rank: 1 } };

let service: TestService;
before(async () => {
  service = await startContractService({ sources: [marketSource([...MARKET, OLD, TWIN])] });
});
after(() => service.close());

const symbols = async (query: string) => {
  const { result } = await service.get<Envelope>(`${LISTING}?limit=1000&sort=symbol&order=asc&${query}`);
  return result.map(row => String(row['symbol']));
};

describe('inactive=true', () => {
  it('lists every asset with prices, one per ticker', async () => {
    const { result } = await service.get<Envelope>(`${ASSETS}?limit=1000&not_null=last_data_at`);
    const tickers = new Map(result.map(({ symbol }) => [String(symbol).toUpperCase(), symbol]));
    const all = await symbols('inactive=true');
    assert.deepEqual(all.map(symbol => symbol.toUpperCase()).sort(), [...tickers.keys()].sort());
    const active = await symbols('');
    assert.ok(active.every(symbol => all.includes(symbol)) && active.length < all.length);
    assert.deepEqual([all.includes('OLD'), active.includes('OLD')], [true, false]);
    assert.deepEqual(await symbols('inactive=FALSE'), active);
  });

  it('gives an inactive asset the row of its last day, and leaves the row of an active one as it is', async () => {
    const {
      result: [old],
    } = await service.get<Envelope>(`${LISTING}?inactive=true&symbol=old`);
    const { result } = await service.get<Envelope>(`${HISTORY}?id=${idOf(OLD)}&limit=1`);
    assert.deepEqual(old, result[0]);
    assert.equal(old?.['price'], 5);
    const btc = async (query: string) => (await service.get<Envelope>(`${LISTING}?symbol=btc${query}`)).result;
    assert.deepEqual(await btc('&inactive=true'), await btc(''));
  });

  it('works with filters, sorting, statistics, CSV and as_of', async () => {
    assert.deepEqual(await symbols('inactive=true&price=5:5&symbol=OLD,BTC'), ['OLD']);
    const { text, headers } = await service.ask(`${LISTING}?inactive=true&symbol=OLD&format=csv`);
    assert.match(text, /\r\n[^,]*,OLD,5,/);
    assert.match(String(headers['content-disposition']), /-ta-cur-\d{4}-\d\d-\d\d-page-1\.csv/);
    const count = async (query: string) => {
      const { result } = await service.get<Envelope>(`${LISTING}/stats?cols=price&${query}`);
      return Number(result[0]?.['count']);
    };
    assert.ok((await count('inactive=true')) > (await count('')));
    const day = new Date((TODAY - 20) * 86_400_000).toISOString().slice(0, 10);
    assert.ok(!(await symbols(`as_of=${day}`)).includes('OLD'));
    assert.ok((await symbols(`as_of=${day}&inactive=true`)).includes('OLD'));
  });

  it('has the optional columns, before and after they are published', async () => {
    const row = async () =>
      (await service.get<Envelope>(`${LISTING}?inactive=true&symbol=old&incl_cols=all`)).result[0]!;
    const before = await row();
    assert.ok(Number(before['ath']) >= 5);
    await service.get<Envelope>(`${LISTING}?incl_cols=ath`);
    assert.deepEqual(await row(), before);
  });

  it('has another ETag, and is refused where it means nothing', async () => {
    assertProblem(await service.ask(`${LISTING}?inactive=true&format=sse`), 400, 'conflicting_parameters', 'inactive');
    const tag = async (query: string) => (await service.ask(`${LISTING}?${query}`)).headers['etag'];
    assert.notEqual(await tag('inactive=true'), await tag(''));
    assertProblem(await service.ask(`${LISTING}?inactive=maybe`), 400, 'invalid_value', 'inactive');
    assertProblem(await service.ask(`${ASSETS}?inactive=true`), 400, 'unknown_parameter', 'inactive');
  });
});

// A store that has one of everything, odd values included, and all that a store holds in a form that can be compared.

import { hashOf } from '../../src/domain/api-key.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../../src/domain/day.ts';
import { FINE_INTERVALS, type FineInterval, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import type { Store } from '../../src/store/store.ts';
import { batch, DAY, draft, profile, row } from '../contract/fixtures.ts';

const OUTCOME = { error: null, read: 9, inserted: 5, replaced: 2, unchanged: 1, rejected: 2 };

export async function fillWithEverything(store: Store): Promise<void> {
  const assetNumbers = await store.putAssets([
    draft('btc-bitcoin', {
      rank: 1,
      type: 'coin',
      supply: 19_876_543.25,
      tags: 'defi,meme',
      name: 'Bit "coin",\u2028 ₿',
    }),
    draft('dead-coin', { delisted: true }),
    draft('no-prices'),
    draft('usd', { provisional: true }),
  ]);
  const [bitcoin = 0, dead = 0, , provisional = 0] = assetNumbers;
  const odd = [1e-18, 1e15, 0.1 + 0.2, 5e-324, 1.7976931348623157e308];
  await store.putBars(
    batch([
      ...odd.map((close, day) => ({ assetNumber: bitcoin, day, close, open: close, volume: -0 })),
      ...odd.map((close, day) => ({ assetNumber: dead, day: day * 400, close, high: close * 0.5 })),
      { assetNumber: provisional, day: -DAY, close: 1 },
    ]),
    1,
  );
  await store.putProfiles([
    {
      assetNumber: bitcoin,
      sourced: profile('btc-bitcoin', { description: 'a\u2028b\0c\ud800' }, { more: { deep: [1, null] } }),
    },
    { assetNumber: dead, sourced: profile('dead-coin') },
  ]);
  await store.putFacts(
    [
      ...odd.map((supply, day) => ({
        assetNumber: bitcoin,
        day: (DAY + 20 * day) as Day,
        supply,
        marketCap: supply / 3,
      })),
      { assetNumber: bitcoin, day: (DAY + 7) as Day, rank: 3 },
      { assetNumber: bitcoin, day: (DAY + 90) as Day, rank: null, supply: null },
      { assetNumber: dead, day: FIRST_DAY, rank: 2 ** 31 - 1 },
    ],
    2,
  );
  const values = [0, -0, Number.NaN, 1e-300, -1e300];
  await fillFineBars(store, bitcoin, 'before');
  await store.publish('a,b,c,d,e', [{ rows: [row(bitcoin, 1, values), row(dead, 2, values)], removed: assetNumbers }]);
  // Not computed yet: an interrupted load.
  await store.putBars(
    batch([
      { assetNumber: dead, day: 3000, close: 7 },
      { assetNumber: dead, day: 400, close: 8 },
      { assetNumber: dead, day: 500, close: 9 },
    ]),
    2,
  );
  await fillFineBars(store, bitcoin, 'after');
  await fillSources(store, dead, bitcoin);
  await fillWithRecords(store);
}

/** Two sources of one asset, and what people and rules say about it. */
async function fillSources(store: Store, asset: number, other: number): Promise<void> {
  const bars = batch([0, 40].map(day => ({ assetNumber: asset, day, close: 1 / 3, volume: day })));
  for (const [load, source] of ['kraken', 'binance'].entries()) await store.putSourceBars(source, '1d', bars, load + 1);
  await store.putSources([{ assetNumber: other, name: 'csv', firstLoad: 1 }]);
  await store.setPriceRules([{ assetNumber: 0, rule: { kind: 'median', order: [] } }], []);
  const place = { assetNumber: asset, interval: '1d', period: DAY } as const;
  const numbers = { open: null, high: null, low: null, volume: null };
  for (const close of [0.1 + 0.2, null]) await store.addCorrection({ ...place, ...numbers, close, reason: 'É "₿"' });
  await store.undoCorrection(1);
  await store.addActions([{ assetNumber: asset, day: DAY + 1, ratio: 1000, fromAsset: other, reason: '' }]);
  const finding = { rule: 'gap', period: DAY, value: 2, expected: 0.1, source: null, detail: 'two days' } as const;
  await store.replaceFindings('1d', [{ assetNumber: asset, from: 0, findings: [finding] }]);
  await store.accept({ ...place, rule: 'gap', source: '' }, 'a holiday');
  await store.putCheck({ interval: '1d', settings: { gap: 1 }, complete: true });
}

/** What does not belong to an asset. */
export async function fillWithRecords(store: Store): Promise<void> {
  await fillLoads(store);
  await fillKeys(store);
  await fillAlerts(store);
}

/** Minutes that were published, dropped, replaced and added. */
async function fillFineBars(store: Store, asset: number, when: 'before' | 'after'): Promise<void> {
  const first = (DAY + 100) * 1440;
  const minutes = when === 'before' ? Array.from({ length: 1500 }, (_, i) => i) : [-5, 1200, 1600];
  const bars = batch(minutes.map(at => ({ assetNumber: asset, day: 0, close: 1 + at / 8 + Number(when === 'after') })));
  bars.day.set(minutes.map(at => first + at));
  await store.series('1m').putBars(bars, when === 'before' ? 1 : 2);
  if (when === 'after') await store.series('1m').dropBefore((first + 700) as Period);
}

async function fillAlerts(store: Store): Promise<void> {
  const target = {
    url: 'https://hooks.example.com/services/T0/B0/x',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  };
  const alert = { query: 'where=price > 1', on: 'enter', format: 'json', target } as const;
  await store.createAlert({ ...alert, id: 'alert_b', name: 'Above "one" ₿' });
  await store.createAlert({ ...alert, id: 'alert_a', name: 'paused', format: 'slack' });
  await store.setAlert('alert_a', { paused: true });
  const evaluation = {
    alert: 'alert_b',
    matching: { version: 3, symbols: ['BTC', 'É'], reported: [{ at: 1.7e12, entered: ['É'], left: [] }] },
  };
  const delivery = { createdAt: 1.7e12, entered: 2, left: 0, body: '{"a":"\u2028"}' };
  await store.recordEvaluation({ ...evaluation, revision: 1, delivery: { ...delivery, id: 'msg_1' } });
  await store.recordEvaluation({ ...evaluation, revision: 2, delivery: { ...delivery, id: 'msg_2' } });
  await store.recordAttempt('msg_1', { state: 'failed', at: 1.7e12, nextAt: null, status: 500, error: 'a\ud800' });
}

async function fillLoads(store: Store): Promise<void> {
  const [done, failed] = [await store.beginLoad('csv a.csv'), await store.beginLoad('ccxt')];
  await store.addRejects(done, [
    { where: 'a.csv:4', reason: 'bad_price', detail: 'close -5' },
    { where: 'a.csv:9', reason: 'bad_day', detail: '"x"' },
  ]);
  await store.updateLoad(done, { ...OUTCOME, state: 'done' });
  await store.updateLoad(failed, { ...OUTCOME, state: 'failed', error: 'it broke' });
  await store.beginLoad('coinpaprika');
}

async function fillKeys(store: Store): Promise<void> {
  const day = (offset: number) => (DAY + offset) as Day; // within the calendar
  for (const id of ['key_b', 'key_a', 'key_gone']) {
    const expires = id === 'key_a' ? day(30) : null;
    await store.createKey({ id, hash: hashOf(id), tier: 'pro', name: id === 'key_a' ? null : `Ann's ${id}`, expires });
  }
  await store.revokeKey('key_gone');
  await store.addUsage(day(0), [{ keyId: 'key_a', accepted: 3, refused: 1 }]);
  await store.addUsage(day(500), [
    { keyId: 'key_a', accepted: 2 ** 40, refused: 0 },
    { keyId: 'key_b', accepted: 0, refused: 7 },
  ]);
}

async function fineBars(store: Store, interval: FineInterval, asset: number) {
  const series = store.series(interval);
  const [first, last] = [0 as Period, LAST_PERIOD as Period];
  const { bars: published } = await series.publishedBars(asset, first, last);
  return { bars: await series.bars(asset, first, last), origins: await series.origins(asset), published };
}

/** Everything but the numbers that a store gives its assets and its versions. */
export async function everything(store: Store): Promise<Record<string, unknown>> {
  const assets = await store.assets();
  const idOf = new Map(assets.map(asset => [asset.assetNumber, asset.id]));
  const current = await store.currentSince(0);
  const loads = await store.loads(Number.MAX_SAFE_INTEGER);
  const sorted = <T extends { id: string | undefined }>(list: T[]) =>
    list.sort((a, b) => String(a.id).localeCompare(String(b.id)));
  return {
    assets: sorted(
      await Promise.all(
        assets.map(async ({ assetNumber, ...asset }) => {
          const { closes } = await store.publishedCloses(assetNumber, FIRST_DAY, LAST_DAY);
          const [bars, origins] = [
            await store.bars(assetNumber, FIRST_DAY, LAST_DAY),
            await store.origins(assetNumber),
          ];
          const fine = await Promise.all(FINE_INTERVALS.map(interval => fineBars(store, interval, assetNumber)));
          const facts = await store.factsOf(assetNumber);
          return { ...asset, days: bars, origins, published: closes, fine, facts };
        }),
      ),
    ),
    profiles: sorted(
      (await Array.fromAsync(store.profiles())).map(({ assetNumber, sourced }) => ({
        id: idOf.get(assetNumber),
        sourced,
      })),
    ),
    columns: current.columns,
    intervals: await store.intervals(),
    rows: sorted(current.rows.map(({ assetNumber, ...values }) => ({ id: idOf.get(assetNumber), ...values }))),
    pending: (await store.pending()).map(assetNumber => idOf.get(assetNumber)).sort(),
    loads: await Promise.all(loads.map(async load => ({ ...load, rejects: await store.rejects(load.id, 1e6) }))),
    keys: await store.keys(),
    usage: await store.usage(FIRST_DAY, LAST_DAY),
    alerts: await store.alerts(),
    deliveries: await store.deliveries(Number.MAX_SAFE_INTEGER),
    rowsOfTables: (await Array.fromAsync(store.copiedRows()))
      .map(({ table, row: { assetNumber, fromAsset, ...row } }) => ({
        id: `${table} ${idOf.get(Number(assetNumber))} ${JSON.stringify(row)}`,
        from: idOf.get(Number(fromAsset)),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AtTurn } from '../common/steps.ts';
import type { AssetNumber } from '../domain/asset.ts';
import { barColumns } from '../domain/bar.ts';
import type { Period } from '../domain/interval.ts';
import type { BarStore } from '../store/store.ts';
import { barsInParts, originsInParts } from './read-in-parts.ts';

const ASSET = 3 as AssetNumber;
const [FIRST, LAST] = [10_000 as Period, 12_499 as Period];

/** A store with a close on every second day; `published` is called before each read. */
function storeOf(published: (reads: number) => number) {
  const asked: string[] = [];
  const versionOf = (from: Period, to: Period, wanted: number | undefined) => {
    const version = published(asked.length);
    asked.push(`${from}..${to} of ${wanted}`);
    return { version, isWanted: wanted === undefined || wanted === version };
  };
  const days = (from: Period, to: Period) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(day => day % 2 === 0);
  const bars: BarStore['publishedBars'] = async (_, from, to, wanted) => {
    const { version, isWanted } = versionOf(from, to, wanted);
    if (!isWanted) return { version, bars: null };
    const found = barColumns(days(from, to).length);
    found.day.set(days(from, to));
    found.close.set(days(from, to).map(day => day + version));
    return { version, bars: found };
  };
  const origins: BarStore['publishedOrigins'] = async (_, from, to, wanted) => {
    const { version, isWanted } = versionOf(from, to, wanted);
    return { version, origins: isWanted ? new Map(days(from, to).map(day => [day, version])) : null };
  };
  return { asked, bars, origins };
}

const ALL_DAYS = Array.from({ length: 1250 }, (_, i) => FIRST + 2 * i);

describe('a history that is read in parts', () => {
  it('has all days once, each part read at a turn of its own and of the version of the first', async () => {
    const { asked, bars } = storeOf(() => 7);
    let turns = 0;
    const atTurn: AtTurn = read => {
      turns++;
      return read();
    };
    const found = await barsInParts(bars, [ASSET, FIRST, LAST], atTurn);
    assert.equal(found.version, 7);
    assert.deepEqual([...found.bars!.day], ALL_DAYS);
    assert.deepEqual(
      [...found.bars!.close],
      ALL_DAYS.map(day => day + 7),
    );
    assert.ok(found.bars!.open.every(Number.isNaN));
    assert.deepEqual(asked, ['10000..11023 of undefined', '11024..12047 of 7', '12048..12499 of 7']);
    assert.equal(turns, 3);
  });

  it('is never of two versions: another one is read as a whole, or none if a version was wanted', async () => {
    const publishes = (reads: number) => (reads === 0 ? 7 : 8);
    const newest = storeOf(publishes);
    const found = await originsInParts(newest.origins, [ASSET, FIRST, LAST], read => read());
    assert.deepEqual([found.version, found.origins], [8, new Map(ALL_DAYS.map(day => [day, 8]))]);
    const wanted = storeOf(publishes);
    const gone = await originsInParts(wanted.origins, [ASSET, FIRST, LAST, 7], read => read());
    assert.deepEqual(gone, { version: 8, origins: null });
  });

  it('is read at once without turns', async () => {
    const { asked, bars } = storeOf(() => 7);
    const found = await barsInParts(bars, [ASSET, FIRST, LAST, 7], null);
    assert.deepEqual([...found.bars!.day], ALL_DAYS);
    assert.deepEqual(asked, ['10000..12499 of 7']);
  });
});

// `tidemark verify`: checks the store, recomputes every current row from the bars, and reports each difference.

import { INDICATORS, PUBLISHED_COLUMNS } from '../domain/catalogue.ts';
import { isoFromDay } from '../domain/day.ts';
import type { BaseInterval } from '../domain/interval.ts';
import { readBenchmark } from '../publish/benchmark.ts';
import { benchmarkIn, columnSetOf, hasOtherOwn, publicationColumns } from '../publish/columns.ts';
import { computeRows } from '../publish/compute-rows.ts';
import { OptionalValues } from '../publish/optional-values.ts';
import { refuseWithoutOwn } from '../publish/publish-pending.ts';
import type { CurrentRow, StoreView } from '../store/store.ts';
import { readingStore } from './actions.ts';
import type { Command } from './command.ts';
import { barWords, counted, duration, styled } from './terminal.ts';

interface Difference {
  readonly asset: string;
  readonly column: string;
  readonly stored: string | number | null;
  readonly computed: string | number | null;
}

const SHOWN = 20;

const INTERRUPTED = 'not published yet, because a load was interrupted; repeat the load to publish them';
const OTHER_COLUMNS =
  'the settings file defines other columns than their published rows have; start the server or repeat a load to publish them';

export const verify: Command = {
  name: 'verify',
  summary: 'Check the store, recompute the current rows from the bars and report every difference',
  usage: [''],
  maxArgs: 0,
  settings: ['store'],
  options: {},
  about: `
Computes each asset's row from its stored bars and compares it with the published one, value by value and bit by bit. Before that it
compares the tables with one another, those of minutes, hours and days. It also reads all of a SQLite store: the structure of the file and the checksum of every row. Exits with
1 if anything is wrong, or if there is nothing to compare: because the first load was interrupted, or because the settings file defines other
columns than the published rows have.`,
  async run({ config, output }) {
    const began = performance.now();
    return readingStore(config.store, output, async store => {
      await store.checkIntegrity();
      // Of one point in time: a load may be under way.
      const { rows, values, pending, otherColumns, differences, intervals } = await store.readConsistently(compareAll);
      const millis = performance.now() - began;
      // Every asset waits for a load to be completed.
      const isEmpty = rows === 0 && pending > 0 && differences.length === 0;
      if (output.json) {
        output.print(JSON.stringify({ rows, values, pending, differences, bars: intervals }, null, 2));
      } else {
        output.print(`checked ${barWords(intervals)}`);
        for (const { asset, column, stored, computed } of differences.slice(0, SHOWN)) {
          output.print(`${asset}  ${column}: stored ${stored}, computed ${computed}`);
        }
        if (differences.length > SHOWN) output.print(`… and ${differences.length - SHOWN} more`);
        if (pending > 0) {
          output.print(`${counted(pending, 'asset')} left out: ${otherColumns ? OTHER_COLUMNS : INTERRUPTED}`);
        }
        const verdict = isEmpty
          ? styled('red', 'nothing was compared')
          : differences.length === 0
            ? styled('green', 'no differences')
            : styled('red', counted(differences.length, 'difference'));
        output.print(
          `${counted(rows, 'row')}, ${counted(values, 'value')} recomputed in ${duration(millis)}: ${verdict}`,
        );
      }
      return differences.length === 0 && !isEmpty ? 0 : 1;
    });
  },
};

interface Comparison {
  /** How many were computed. */
  readonly rows: number;
  /** In these rows. */
  readonly values: number;
  /** How many assets were left out. */
  readonly pending: number;
  /** They were left out because of the columns of the settings file. */
  readonly otherColumns: boolean;
  readonly differences: readonly Difference[];
  /** Bars of each interval. */
  readonly intervals: Readonly<Record<BaseInterval, number>>;
}

async function compareAll(view: StoreView): Promise<Comparison> {
  const assets = await view.assets();
  const published = await view.currentSince(0);
  refuseWithoutOwn(published.columns);
  const [set, ticker] = [columnSetOf(published.columns), benchmarkIn(published.columns)];
  const pending = new Set(await view.pending(publicationColumns(set, ticker)));
  const numbers = assets
    .filter(asset => asset.bars > 0 && !pending.has(asset.assetNumber))
    .map(asset => asset.assetNumber);
  const ids = new Map(assets.map(asset => [asset.assetNumber, asset.id]));
  const { series: benchmark } = await readBenchmark(view, ticker);
  const optional = set === 'all' ? new OptionalValues(view, { benchmark }) : null;
  const computed = await computeRows(view, numbers, { optional });
  const stored = new Map(
    published.rows.filter(row => !pending.has(row.assetNumber)).map(row => [row.assetNumber, row]),
  );
  const differences: Difference[] = [];
  for (const row of computed) {
    differences.push(...compare(ids.get(row.assetNumber) ?? String(row.assetNumber), stored.get(row.assetNumber), row));
    stored.delete(row.assetNumber);
  }
  for (const row of stored.values()) {
    const asset = ids.get(row.assetNumber) ?? String(row.assetNumber);
    differences.push({ asset, column: 'row', stored: isoFromDay(row.day), computed: null });
  }
  const columns = set === 'all' ? PUBLISHED_COLUMNS : INDICATORS;
  const intervals = { '1m': 0, '1h': 0, '1d': 0 };
  for (const { interval, bars } of await view.intervals()) intervals[interval] = bars;
  const values = computed.length * (columns.length + 3);
  const otherColumns = hasOtherOwn(published.columns);
  return { rows: computed.length, values, pending: pending.size, otherColumns, differences, intervals };
}

function compare(asset: string, stored: CurrentRow | undefined, computed: CurrentRow): Difference[] {
  if (stored === undefined) return [{ asset, column: 'row', stored: null, computed: isoFromDay(computed.day) }];
  const found: Difference[] = [];
  const check = (column: string, a: number, b: number, show: (value: number) => string | number | null = orNull) => {
    if (!Object.is(a, b)) found.push({ asset, column, stored: show(a), computed: show(b) });
  };
  if (stored.day !== computed.day) {
    found.push({ asset, column: 'day', stored: isoFromDay(stored.day), computed: isoFromDay(computed.day) });
  }
  check('history', stored.history, computed.history);
  check('price', stored.price, computed.price);
  computed.values.forEach((value, i) => {
    check(PUBLISHED_COLUMNS[i]?.name ?? 'state of the recursions', stored.values[i] ?? Number.NaN, value);
  });
  return found;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

// Daily bars in SQLite.

import type { AssetKey } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { BarMerge, type Coverage, type CoverageChange, type SortedBars, sortBars } from '../bar-merge.ts';
import { unknownAsset } from '../faults.ts';
import type { CloseSpans, Store } from '../store.ts';
import type { Connection } from './connection.ts';

/** Rows per statement when many are written: with one row each, half of the time goes into starting statements. */
const ROWS_AT_ONCE = 100;

type CoverageRow = [firstDay: number, lastDay: number, bars: number];
const NOTHING: CoverageRow = [0, 0, 0];

type BarRow = [
  day: number,
  open: number | null,
  high: number | null,
  low: number | null,
  close: number,
  volume: number | null,
];

export function barStore(db: Connection): Pick<Store, 'putBars' | 'bars' | 'closes'> {
  const coverage = db.query<CoverageRow>('SELECT first_day, last_day, bars FROM coverage WHERE asset = ?');
  const between = db.query<BarRow>(
    `SELECT day, open, high, low, close, volume FROM bars WHERE asset = ? AND day BETWEEN ? AND ? ORDER BY day`,
  );
  const closesSince = db.query<[number, number]>(
    `SELECT day, close FROM bars
     WHERE asset = ?1 AND day >= coalesce((SELECT max(day) FROM bars WHERE asset = ?1 AND day < ?2), ?2) ORDER BY day`,
  );
  const putBarRows = manyRows('REPLACE INTO bars VALUES', 7);
  const putCoverage = manyRows('REPLACE INTO coverage VALUES', 4);
  const mark = manyRows('INSERT OR IGNORE INTO pending VALUES', 1);

  /** A function that writes `count` rows, whose cells `cellsOf` pushes one after the other. NaN is bound as NULL. */
  function manyRows(sql: string, width: number) {
    const tuple = `(${Array(width).fill('?').join(', ')})`;
    const one = db.command(`${sql} ${tuple}`);
    const many = db.command(`${sql} ${Array(ROWS_AT_ONCE).fill(tuple).join(', ')}`);
    return (count: number, fill: (cells: number[], row: number, at: number) => void): void => {
      const manyCells = new Array<number>(ROWS_AT_ONCE * width).fill(0);
      const oneCells = new Array<number>(width).fill(0);
      let row = 0;
      while (row + ROWS_AT_ONCE <= count) {
        for (let at = 0; at < manyCells.length; at += width) fill(manyCells, row++, at);
        many.run(...manyCells);
      }
      while (row < count) {
        fill(oneCells, row++, 0);
        one.run(...oneCells);
      }
    };
  }

  function coverageOf(key: AssetKey): Coverage {
    const row = coverage.get(key);
    if (!row) throw unknownAsset(key);
    return { firstDay: row[0], lastDay: row[1], bars: row[2] };
  }

  function readOverlaps(merge: BarMerge): void {
    for (const { key, from, to } of merge.overlaps()) {
      for (const [day, open, high, low, close, volume] of between.all(key, from, to)) {
        merge.stored(key, day, open ?? NaN, high ?? NaN, low ?? NaN, close, volume ?? NaN);
      }
    }
  }

  function writeBars(bars: SortedBars, indices: Uint32Array): void {
    putBarRows(indices.length, (cells, row, at) => {
      const bar = indices[row]!;
      cells[at] = bars.key[bar]!;
      cells[at + 1] = bars.day[bar]!;
      cells[at + 2] = bars.open[bar]!;
      cells[at + 3] = bars.high[bar]!;
      cells[at + 4] = bars.low[bar]!;
      cells[at + 5] = bars.close[bar]!;
      cells[at + 6] = bars.volume[bar]!;
    });
  }

  function writeCoverage(changed: readonly CoverageChange[]): void {
    putCoverage(changed.length, (cells, row, at) => {
      const asset = changed[row]!;
      cells[at] = asset.key;
      cells[at + 1] = asset.firstDay;
      cells[at + 2] = asset.lastDay;
      cells[at + 3] = asset.bars;
    });
    mark(changed.length, (cells, row, at) => {
      cells[at] = changed[row]!.key;
    });
  }

  function readCloses(keys: readonly AssetKey[], days: number): CloseSpans {
    const covered = keys.map(key => coverage.get(key) ?? NOTHING);
    // At most one close a day, the newest day included, and the one before.
    const most = covered.reduce((sum, [, , bars]) => sum + Math.min(bars, days + 2), 0);
    const spans = {
      starts: new Uint32Array(keys.length + 1),
      day: new Int32Array(most),
      close: new Float64Array(most),
    };
    const firstDay = Int32Array.from(covered, ([day]) => day);
    let at = 0;
    for (const [index, key] of keys.entries()) {
      const [, lastDay, bars] = covered[index]!;
      const rows = bars > 0 ? closesSince.all(key, lastDay - days) : [];
      for (const [day, close] of rows) {
        spans.day[at] = day;
        spans.close[at++] = close;
      }
      spans.starts[index + 1] = at;
    }
    return { starts: spans.starts, day: spans.day.subarray(0, at), close: spans.close.subarray(0, at), firstDay };
  }

  return {
    putBars: async bars => {
      const sorted = sortBars(bars);
      return db.write(() => {
        const merge = new BarMerge(
          sorted,
          sorted.spans.map(span => coverageOf(span.key)),
        );
        readOverlaps(merge);
        writeBars(sorted, merge.inserted());
        writeBars(sorted, merge.replaced());
        writeCoverage(merge.changedAssets());
        return merge.changes();
      });
    },

    bars: async (key, from, to) => {
      const rows = db.read(() => between.all(key, from, to));
      const columns = barColumns(rows.length);
      for (const [at, [day, open, high, low, close, volume]] of rows.entries()) {
        columns.day[at] = day;
        columns.open[at] = open ?? NaN;
        columns.high[at] = high ?? NaN;
        columns.low[at] = low ?? NaN;
        columns.close[at] = close;
        columns.volume[at] = volume ?? NaN;
      }
      return columns;
    },

    closes: async (keys, days) => db.read(() => readCloses(keys, days)),
  };
}

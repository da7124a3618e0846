// What an export into a folder consists of: its parts, each with some of the assets.

import { FINE_ACTIVE_PERIODS } from '../../domain/active-periods.ts';
import type { AssetNumber } from '../../domain/asset.ts';
import { ACTIVE_DAYS } from '../../domain/asset-state.ts';
import { BARS, type HistoryDatasetName, TA_HIST } from '../../domain/datasets.ts';
import type { Day } from '../../domain/day.ts';
import { baseOf, type Interval, type Period } from '../../domain/interval.ts';
import { historySpan } from '../../history/published-series.ts';
import { publishedSpans } from '../../history/published-spans.ts';
import type { StoreView } from '../../store/store.ts';
import { assetsWithFile, type FreqtradeLayout } from './freqtrade-names.ts';

/** The datasets whose rows are the days of one asset. */
export const HISTORY_DATASETS = { [BARS.name]: BARS, [TA_HIST.name]: TA_HIST } as const;

export type FileFormat = 'parquet' | 'csv';
export type Partition = 'year' | 'none';

/** What was asked for; it is part of the manifest, so that only the same export is resumed. */
export interface HistoryRequest {
  readonly dataset: HistoryDatasetName;
  readonly format: FileFormat | 'feather';
  readonly partition: Partition;
  /** Days, both included; null: no bound. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** The optional columns of ta-hist, comma-separated in the order of the catalogue. */
  readonly inclCols: string;
  /** Of the bars and rows; days without it. */
  readonly interval?: Interval;
  /** Only assets that a later publication changed; null: all. */
  readonly sinceVersion: number | null;
  /** The folder is freqtrade's: one file per asset. */
  readonly freqtrade?: FreqtradeLayout;
}

export interface PartAsset {
  readonly assetNumber: AssetNumber;
  readonly id: string;
  readonly symbol: string;
  /** Of its published closes, as periods of the base that the interval is read from. */
  readonly firstDay: Period;
  readonly lastDay: Period;
}

export interface Part {
  readonly number: number;
  /** In the order of their ids. */
  readonly assets: readonly PartAsset[];
}

export interface Plan {
  readonly version: number;
  readonly parts: readonly Part[];
  /** False if only changed assets are exported. */
  readonly whole: boolean;
  /** Assets that the layout has no place for. */
  readonly leftOut: number;
}

/**
 * Days of a part. At most: files of some ten megabytes per year, which readers like, and a loss of seconds if an export is killed. At
 * least: no crowd of tiny files. In between, some parts for every core. It depends on the data only, so that any machine can resume.
 */
const [MIN_PART_DAYS, MAX_PART_DAYS, PARTS] = [100_000, 500_000, 8];

/** Of the rows. */
export function intervalOf({ interval, freqtrade }: HistoryRequest): Interval {
  return interval ?? freqtrade?.interval ?? '1d';
}

/**
 * The parts are in the order of the asset numbers, in which the store reads fastest. Each part is in the order of the ids, so that a
 * reader finds an asset in few row groups.
 */
export async function planOf(view: StoreView, request: HistoryRequest): Promise<Plan> {
  const { sinceVersion, freqtrade } = request;
  const interval = intervalOf(request);
  const { version, rows, all } = await view.currentSince(sinceVersion ?? 0);
  const facts = new Map((await view.assetsSince(0)).assets.map(asset => [asset.assetNumber, asset]));
  const histories = await publishedSpans(view, interval, rows, spanOf(request.dataset));
  const assets = rows.flatMap(({ assetNumber }): PartAsset[] => {
    const [known, span] = [facts.get(assetNumber), histories.get(assetNumber)];
    if (known === undefined || span === undefined) return [];
    return [{ assetNumber, id: known.id, symbol: known.symbol, firstDay: span.first, lastDay: span.last }];
  });
  const written =
    freqtrade === undefined ? assets : assetsWithFile(assets, facts, freqtrade.stake, activeBars(interval));
  written.sort((a, b) => a.assetNumber - b.assetNumber);
  const leftOut = assets.length - written.length;
  return { version, parts: partsOf(written), whole: sinceVersion === null || all, leftOut };
}

/** Each bar is written by itself; a history is computed from as many as a server has in memory. */
function spanOf(dataset: HistoryDatasetName): typeof historySpan {
  return dataset === BARS.name ? (_, span) => span : historySpan;
}

/** Periods of the base by which the latest bar of an active asset may be older than the newest. */
function activeBars(interval: Interval): number {
  const base = baseOf(interval);
  return base === '1d' ? ACTIVE_DAYS : FINE_ACTIVE_PERIODS;
}

/** The parts of one file in the order of the ids, read from the store in parts as it is written. Only what a part needs is kept in memory. */
export async function planByIdOf(view: StoreView, dataset: HistoryDatasetName, interval: Interval): Promise<Plan> {
  const names = new Map<AssetNumber, Pick<PartAsset, 'id' | 'symbol'>>();
  await view.readAssetsSince(0, assets => {
    for (const { assetNumber, id, symbol } of assets) names.set(assetNumber, { id, symbol });
  });
  const assets: PartAsset[] = [];
  const fine = baseOf(interval) === '1d' ? null : await publishedSpans(view, interval, [], spanOf(dataset));
  const { version } = await view.readCurrentSince(0, rows => {
    for (const { assetNumber, day, history } of rows) {
      const known = names.get(assetNumber);
      // A day, because the first close is of it.
      const days = { first: (day - history + 1) as Day, last: day };
      const span = fine === null ? days : fine.get(assetNumber);
      if (known !== undefined && span !== undefined)
        assets.push({ assetNumber, ...known, firstDay: span.first, lastDay: span.last });
    }
  });
  return { version, parts: partsOf(assets.sort(byId), MIN_PART_DAYS), whole: true, leftOut: 0 };
}

const byId = (a: PartAsset, b: PartAsset) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));

/** `partDays`: after so many days, another part begins. */
function partsOf(assets: readonly PartAsset[], partDays: number = usualDays(assets)): Part[] {
  const parts: { number: number; assets: PartAsset[] }[] = [];
  let days = partDays;
  for (const asset of assets) {
    if (days >= partDays) {
      parts.push({ number: parts.length, assets: [] });
      days = 0;
    }
    parts.at(-1)!.assets.push(asset);
    days += asset.lastDay - asset.firstDay + 1;
  }
  for (const part of parts) part.assets.sort(byId);
  return parts;
}

function usualDays(assets: readonly PartAsset[]): number {
  const total = assets.reduce((sum, { firstDay, lastDay }) => sum + lastDay - firstDay + 1, 0);
  return Math.min(MAX_PART_DAYS, Math.max(MIN_PART_DAYS, total / PARTS));
}

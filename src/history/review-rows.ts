// The rows of `findings` and `actions`, as the store has them now.

import { type BaseInterval, startOfPeriod } from '../domain/interval.ts';
import { readReviewedFindings } from '../publish/review.ts';
import type { Store } from '../store/store.ts';

/** `minute` is the time of the row, in minutes since 1970; null is a missing text. */
export interface ReviewRow {
  readonly minute: number;
  readonly symbol: string;
  readonly id: string;
  readonly [column: string]: string | number | null;
}

/** By asset and time. */
export interface ReviewRows {
  /** Of the publication that was there when they were read. */
  readonly version: number;
  readonly rows: readonly ReviewRow[];
}

export interface ReviewsOf {
  findings(): Promise<ReviewRows>;
  actions(): Promise<ReviewRows>;
}

type FindingStore = Pick<Store, 'version' | 'assets' | 'findings' | 'acceptances' | 'corrections' | 'checks'>;

export async function readFindings(store: FindingStore): Promise<ReviewRows> {
  const version = await store.version();
  const { findings, assets: byNumber } = await readReviewedFindings(store);
  const rows = findings.flatMap(({ assetNumber, interval, period, rule, value, expected, source, detail, state }) => {
    const asset = byNumber.get(assetNumber);
    if (asset === undefined) return [];
    const { id, symbol } = asset;
    const minute = minuteOf(interval, period);
    return [{ minute, symbol, id, interval, rule, value, expected, source: source || null, detail, state }];
  });
  return { version, rows: inOrder(rows) };
}

export async function readActions(store: Pick<Store, 'version' | 'assets' | 'actions'>): Promise<ReviewRows> {
  const version = await store.version();
  const actions = await store.actions();
  if (actions.length === 0) return { version, rows: [] };
  const byNumber = new Map((await store.assets()).map(asset => [asset.assetNumber, asset]));
  const rows = actions.flatMap(({ assetNumber, day, ratio, fromAsset, reason }) => {
    const asset = byNumber.get(assetNumber);
    if (asset === undefined) return [];
    const from = fromAsset === null ? null : (byNumber.get(fromAsset)?.id ?? null);
    return [{ minute: minuteOf('1d', day), symbol: asset.symbol, id: asset.id, ratio, from_id: from, reason }];
  });
  return { version, rows: inOrder(rows) };
}

const MINUTE = 60_000;

function minuteOf(interval: BaseInterval, period: number): number {
  return startOfPeriod(interval, period) / MINUTE;
}

function inOrder(rows: readonly ReviewRow[]): ReviewRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)) || a.minute - b.minute);
}

// The rows of `findings` and `actions`, read from the store as it is now.

import { type BaseInterval, startOfPeriod } from '../domain/interval.ts';
import { thresholds } from '../publish/checks.ts';
import { type ReviewedFinding, reviewed } from '../publish/review.ts';
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

type FindingStore = Pick<Store, 'version' | 'assets' | 'findings' | 'acceptances' | 'corrections' | 'checks'>;

/** The oldest of more are left out. */
const MOST_ROWS = 200_000;
/** Assets whose findings are read at a time: of each, at most some hundreds are kept per rule. */
const ASSETS_AT_ONCE = 500;

/** The newest `most`. The others are forgotten while it reads, so that memory does not grow with the store. */
export async function readFindings(store: FindingStore, most: number = MOST_ROWS): Promise<ReviewRows> {
  const version = await store.version();
  const assets = (await store.assets()).toSorted((a, b) => a.assetNumber - b.assetNumber);
  const known = {
    acceptances: await store.acceptances(),
    corrections: await store.corrections(),
    settings: await thresholds(store),
  };
  const byNumber = new Map(assets.map(asset => [asset.assetNumber, asset]));
  const rowOf = (finding: ReviewedFinding): ReviewRow[] => {
    const asset = byNumber.get(finding.assetNumber);
    if (asset === undefined) return [];
    const { interval, period, rule, value, expected, source, detail, state } = finding;
    const { id, symbol } = asset;
    const minute = minuteOf(interval, period);
    return [{ minute, symbol, id, interval, rule, value, expected, source: source || null, detail, state }];
  };
  let rows: ReviewRow[] = [];
  for (let i = 0; i < assets.length; i += ASSETS_AT_ONCE) {
    const numbers = assets.slice(i, i + ASSETS_AT_ONCE).map(({ assetNumber }) => assetNumber);
    const findings = await store.findings({ assets: numbers });
    for (const finding of reviewed({ ...known, findings, assets: [] })) rows.push(...rowOf(finding));
    if (rows.length > 2 * most) rows = newest(rows, most);
  }
  // Those of the rule `stale`, which are not stored.
  for (const finding of reviewed({ ...known, findings: [], assets })) rows.push(...rowOf(finding));
  return { version, rows: newest(inOrder(rows), most) };
}

/** In their order. */
function newest(rows: readonly ReviewRow[], most: number): ReviewRow[] {
  if (rows.length <= most) return [...rows];
  const times = Float64Array.from(rows, ({ minute }) => minute).sort();
  const oldest = times[rows.length - most]!;
  let ofOldest = most - rows.filter(({ minute }) => minute > oldest).length;
  return rows.filter(({ minute }) => minute > oldest || (minute === oldest && ofOldest-- > 0));
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

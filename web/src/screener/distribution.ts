// The distribution of a column: bins from `ta-cur/stats`, on a scale on which most of them hold something.

import type { TaCurStatsRow } from '../../../client/src/index.ts';
import { type Params, tidemark } from '../api.ts';

export interface Distribution {
  /** Equal bins from `from` to `to`; of natural logarithms if `logarithmic`. */
  readonly counts: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly logarithmic: boolean;
}

const BINS = 40;
/** A name that no column and no computed column of a user has. */
const LOG = 'log_of_column';
/** Positive values whose middle nine tenths span more than this factor are shown by their logarithms. */
const WIDE = 30;
/** A linear scale ends this many times the middle nine tenths beyond them: outliers do not squeeze the rest. */
const BEYOND = 0.5;

type Summary = Pick<TaCurStatsRow, 'column' | 'min' | 'max' | 'p5' | 'p95' | 'histogram'>;

/** Null if no row has a value. */
export async function loadDistribution(
  column: string,
  params: Params,
  signal: AbortSignal,
): Promise<Distribution | null> {
  const computed = Array.isArray(params['calc']) ? params['calc'].map(String) : [];
  const calc = [...computed, `${LOG}:ln(${column})`];
  const [plain, log] = await stats({ ...params, calc, cols: `${column},${LOG}`, bins: BINS }, signal);
  if (plain === undefined || plain.min === null || plain.max === null || plain.p5 === null || plain.p95 === null)
    return null;
  const { min, max, p5, p95 } = plain;
  if (min > 0 && p95 / p5 > WIDE && log !== undefined) return ofBins(log, true);
  const margin = (p95 - p5) * BEYOND || 1;
  const [low, high] = [Math.max(min, p5 - margin), Math.min(max, p95 + margin)];
  if (low === min && high === max) return ofBins(plain, false);
  // The service joins a condition of its own to those of the query.
  const [cut] = await stats({ ...params, [column]: `${low}:${high}`, cols: column, bins: BINS }, signal);
  return cut === undefined ? null : ofBins(cut, false);
}

async function stats(params: Params, signal: AbortSignal): Promise<readonly Summary[]> {
  return (await tidemark.rows<Summary>('ta-cur/stats', params, { signal }).page()).result;
}

function ofBins({ histogram }: Summary, logarithmic: boolean): Distribution | null {
  const edges = histogram?.edges ?? [];
  const [from, to] = [edges[0], edges.at(-1)];
  if (histogram == null || from === undefined || to === undefined || from === to) return null;
  return { counts: histogram.counts, from, to, logarithmic };
}

/** The value at a place from 0 (left) to 1 (right). */
function valueAt({ from, to, logarithmic }: Distribution, place: number): number {
  const at = from + (to - from) * place;
  return logarithmic ? Math.exp(at) : at;
}

/** With as many digits as a place on the screen can tell apart. */
export function roundedValue(distribution: Distribution, place: number): number {
  const value = valueAt(distribution, place);
  if (distribution.logarithmic) return Number(value.toPrecision(2));
  const step = Math.abs(distribution.to - distribution.from) / 100;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number(value.toFixed(Math.min(20, digits)));
}

export function placeOf({ from, to, logarithmic }: Distribution, value: number): number {
  const at = logarithmic ? Math.log(Math.max(value, Number.MIN_VALUE)) : value;
  return Math.max(0, Math.min(1, (at - from) / (to - from)));
}

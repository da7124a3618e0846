// Where the inputs of an explained number come from: the source and the load that delivered each close, and when it was replaced.

import { partitionPoint } from '../common/partition-point.ts';
import { type AtTurn, finish, mapInSteps, type RunSteps } from '../common/steps.ts';
import type { BarColumns } from '../domain/bar.ts';
import {
  baseOf,
  coarserPeriod,
  type Interval,
  type Period,
  periodOfMillis,
  timestampOfPeriod,
} from '../domain/interval.ts';
import { coarserBars } from '../history/coarser-bars.ts';
import { barsInParts, originsInParts } from '../history/read-in-parts.ts';
import { loadOf, type Origins } from '../store/port/origins.ts';
import type { BarStore, LoadLog, StoredLoad } from '../store/store.ts';
import type { ExplainedFact, ExplainedInput, Explanation } from './explain.ts';
import type { InputReviews, ReviewsAt } from './reviews-behind.ts';

export interface InputOrigin {
  /** The day that the close belongs to: an earlier one if it was carried forward. */
  readonly delivered_day: string;
  /** Start of its period, if that is not a day. */
  readonly delivered_at?: string;
  /** Number of the load, as `tidemark status` shows it; null if it is unknown. */
  readonly load: number | null;
  /** Null if the load is unknown, or if the store no longer has a record of it. */
  readonly source: string | null;
  /** When the load began, ISO 8601; null where the source is. */
  readonly loaded_at: string | null;
  /** When this close replaced another one of the same day, ISO 8601; null if it is the first one, or if that is unknown. */
  readonly replaced_at: string | null;
}

export type TracedInput = ExplainedInput & InputOrigin & InputReviews;
/** As for an input. */
export type TracedFact = ExplainedFact & Pick<InputOrigin, 'source' | 'loaded_at'>;
export type TracedExplanation = Omit<Explanation, 'inputs' | 'fact'> & {
  readonly fact?: TracedFact;
  readonly inputs: readonly TracedInput[];
};

export interface PublishedStore {
  readonly bars: BarStore['publishedBars'];
  readonly origins: BarStore['publishedOrigins'];
}

export interface TracedBars {
  readonly version: number;
  readonly bars: BarColumns;
  readonly origins: Origins;
}

/** Publications may follow one another while both are read; so often hardly ever. */
const TRIES = 5;

/** The bars behind the published row of an asset, and their origins: of the wanted version, or of the newest if that one is gone. */
export async function readTraced(
  store: PublishedStore,
  [asset, from, to, wanted]: Parameters<BarStore['publishedBars']>,
  atTurn: AtTurn | null = null,
  interval: Interval = '1d',
): Promise<TracedBars> {
  const base = baseOf(interval);
  let version = wanted;
  for (let tries = 1; ; tries++) {
    const read = await barsInParts(store.bars, [asset, from, to, version], atTurn, base);
    const { version: newest, origins } = await originsInParts(store.origins, [asset, from, to, read.version], atTurn);
    if (read.bars !== null && (origins !== null || tries === TRIES)) {
      const { bars } = read;
      const own = origins ?? new Map();
      return { version: read.version, bars: coarserBars(bars, interval), origins: coarserOrigins(bars, own, interval) };
    }
    version = read.bars === null ? undefined : newest;
  }
}

/** A close of a longer period is that of the last bar in it. */
function coarserOrigins({ day }: BarColumns, origins: Origins, interval: Interval): Origins {
  const base = baseOf(interval);
  if (base === interval) return origins;
  const periodOf = coarserPeriod(base, interval);
  return new Map(Array.from(day, period => [periodOf(period), origins.get(period) ?? 0]));
}

/** Traced in one step. */
const STEP_INPUTS = 512;

/** Adds the origin of each input. */
export async function trace(
  found: Explanation,
  bars: Pick<BarColumns, 'day'>,
  origins: Origins,
  loadsOf: LoadLog['loadsOf'],
  run: RunSteps = finish,
  reviewsAt: ReviewsAt | null = null,
): Promise<TracedExplanation> {
  const { interval = '1d' } = found;
  // A time that `explain` wrote.
  const ownDay = ({ at, day }: ExplainedInput) => periodOfMillis(interval, Date.parse(at ?? day))!;
  const days = await run(mapInSteps(found.inputs, input => deliveredDay(bars, ownDay(input)), STEP_INPUTS));
  const numbers = days.map(day => origins.get(day) ?? 0);
  const wanted = [...new Set([...numbers.map(loadOf), found.fact?.load ?? 0])].filter(number => number !== 0);
  const loads = new Map((await loadsOf(wanted)).map(load => [load.id, load]));
  const traced = (input: ExplainedInput, i: number) => ({
    ...input,
    ...originOf(days[i]!, numbers[i]!, loads, interval),
    ...reviewsAt?.(days[i]!, ownDay(input)),
  });
  const inputs = await run(mapInSteps(found.inputs, traced, STEP_INPUTS));
  const { fact, ...rest } = found;
  if (fact === undefined) return { ...rest, inputs };
  const load = loads.get(fact.load);
  return { ...rest, fact: { ...fact, source: load?.source ?? null, loaded_at: load?.startedAt ?? null }, inputs };
}

function originOf(
  period: number,
  origin: number,
  loads: ReadonlyMap<number, StoredLoad>,
  interval: Interval,
): InputOrigin {
  const number = loadOf(origin);
  const load = loads.get(number);
  const at = timestampOfPeriod(interval, period as Period); // a period of the store
  return {
    delivered_day: at.slice(0, 10),
    ...(interval === '1d' ? {} : { delivered_at: at }),
    load: number === 0 ? null : number,
    source: load?.source ?? null,
    loaded_at: load?.startedAt ?? null,
    replaced_at: origin < 0 ? (load?.startedAt ?? null) : null,
  };
}

/** The newest day with a close, `until` at the latest. */
function deliveredDay({ day }: Pick<BarColumns, 'day'>, until: number): number {
  return day[partitionPoint(0, day.length, at => day[at]! <= until) - 1]!;
}

// Where the inputs of an explained number come from: the source and the load that delivered each close, and when it was replaced.

import { type AtTurn, finish, mapInSteps, type RunSteps } from '../common/steps.ts';
import type { BarColumns } from '../domain/bar.ts';
import { dayFromIso, isoFromDay } from '../domain/day.ts';
import { barsInParts, originsInParts } from '../history/read-in-parts.ts';
import type { Origins } from '../store/port/origins.ts';
import type { BarStore, LoadLog, StoredLoad } from '../store/store.ts';
import type { ExplainedInput, Explanation } from './explain.ts';

export interface InputOrigin {
  /** The day that the close belongs to: an earlier one if it was carried forward. */
  readonly delivered_day: string;
  /** Number of the load, as `tidemark status` shows it; null if it is unknown. */
  readonly load: number | null;
  /** Null if the load is unknown, or no longer in the log of loads. */
  readonly source: string | null;
  /** When the load began, ISO 8601; null where the source is. */
  readonly loaded_at: string | null;
  /** When this close replaced another one of the same day, ISO 8601; null if it is the first one, or if that is unknown. */
  readonly replaced_at: string | null;
}

export type TracedInput = ExplainedInput & InputOrigin;
export type TracedExplanation = Omit<Explanation, 'inputs'> & { readonly inputs: readonly TracedInput[] };

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
): Promise<TracedBars> {
  let version = wanted;
  for (let tries = 1; ; tries++) {
    const read = await barsInParts(store.bars, [asset, from, to, version], atTurn);
    const { version: newest, origins } = await originsInParts(store.origins, [asset, from, to, read.version], atTurn);
    if (read.bars !== null && (origins !== null || tries === TRIES)) {
      return { version: read.version, bars: read.bars, origins: origins ?? new Map() };
    }
    version = read.bars === null ? undefined : newest;
  }
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
): Promise<TracedExplanation> {
  // A day that `explain` wrote.
  const dayOf = (input: ExplainedInput) => deliveredDay(bars, dayFromIso(input.day)!);
  const days = await run(mapInSteps(found.inputs, dayOf, STEP_INPUTS));
  const numbers = days.map(day => origins.get(day) ?? 0);
  const wanted = [...new Set(numbers.map(Math.abs))].filter(number => number !== 0);
  const loads = new Map((await loadsOf(wanted)).map(load => [load.id, load]));
  const traced = (input: ExplainedInput, i: number) => ({ ...input, ...originOf(days[i]!, numbers[i]!, loads) });
  const inputs = await run(mapInSteps(found.inputs, traced, STEP_INPUTS));
  return { ...found, inputs };
}

function originOf(day: number, origin: number, loads: ReadonlyMap<number, StoredLoad>): InputOrigin {
  const load = loads.get(Math.abs(origin));
  return {
    delivered_day: isoFromDay(day as Parameters<typeof isoFromDay>[0]), // a day of the store
    load: origin === 0 ? null : Math.abs(origin),
    source: load?.source ?? null,
    loaded_at: load?.startedAt ?? null,
    replaced_at: origin < 0 ? (load?.startedAt ?? null) : null,
  };
}

/** The newest day with a close, `until` at the latest. */
function deliveredDay({ day }: Pick<BarColumns, 'day'>, until: number): number {
  let [low, high] = [0, day.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (day[middle]! <= until) low = middle + 1;
    else high = middle;
  }
  return day[low - 1]!;
}

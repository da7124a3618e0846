// Reads the history of one asset in parts, so that an embedded store does not take the thread for long.

import type { AtTurn } from '../common/steps.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import { baseOf, coarserPeriod, type Interval, type Period } from '../domain/interval.ts';
import type { Origins } from '../store/port/origins.ts';
import type { BarStore } from '../store/store.ts';
import { coarserBars } from './coarser-bars.ts';

const PART_PERIODS = 1024;

type Published<Data> = { readonly version: number; readonly data: Data | null };
type Read<Data> = (from: Period, to: Period, version?: number) => Promise<Published<Data>>;

/** The bars of an interval, from periods of its base. With null for `atTurn`, in one part. */
export async function barsInParts(
  publishedBars: BarStore['publishedBars'],
  [asset, from, to, version]: Parameters<BarStore['publishedBars']>,
  atTurn: AtTurn | null,
  interval: Interval = '1d',
): ReturnType<BarStore['publishedBars']> {
  const read: Read<BarColumns> = async (...periods) => {
    const { version: found, bars } = await publishedBars(asset, ...periods);
    return { version: found, data: bars && coarserBars(bars, interval) };
  };
  const { data, ...found } = await inParts(read, from, to, version, joinedBars, atTurn, interval);
  return { ...found, bars: data };
}

export async function originsInParts(
  publishedOrigins: BarStore['publishedOrigins'],
  [asset, from, to, version]: Parameters<BarStore['publishedOrigins']>,
  atTurn: AtTurn | null,
): ReturnType<BarStore['publishedOrigins']> {
  const read: Read<Origins> = async (...days) => {
    const { version: found, origins } = await publishedOrigins(asset, ...days);
    return { version: found, data: origins };
  };
  const join = (parts: readonly Origins[]) => new Map(parts.flatMap(part => [...part]));
  const { data, ...found } = await inParts(read, from, to, version, join, atTurn);
  return { ...found, origins: data };
}

async function inParts<Data>(
  read: Read<Data>,
  from: Period,
  to: Period,
  wanted: number | undefined,
  join: (parts: readonly Data[]) => Data,
  atTurn: AtTurn | null,
  interval: Interval = '1d',
): Promise<Published<Data>> {
  if (atTurn === null || to - from < PART_PERIODS) return (atTurn ?? atOnce)(() => read(from, to, wanted));
  const parts: Data[] = [];
  let version = wanted;
  for (let first = from; first <= to; ) {
    const last = Math.min(endOfPart(first, interval), to) as Period; // between two periods
    const part = await atTurn(() => read(first, last, version));
    if (part.data === null) {
      if (wanted !== undefined || parts.length === 0) return part;
      // Published between two parts: a whole is of one version.
      return atTurn(() => read(from, to));
    }
    parts.push(part.data);
    version = part.version;
    first = (last + 1) as Period;
  }
  return { version: version!, data: join(parts) }; // there is more than one part
}

/** The last base period of a part, so that none of the interval is in two. */
function endOfPart(first: number, interval: Interval): number {
  const period = coarserPeriod(baseOf(interval), interval);
  let last = first + PART_PERIODS - 1;
  while (period(last) === period(last + 1)) last--;
  return last;
}

const atOnce: AtTurn = read => read();

function joinedBars(parts: readonly BarColumns[]): BarColumns {
  const bars = barColumns(parts.reduce((sum, { day }) => sum + day.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(part[name], at);
    at += part.day.length;
  }
  return bars;
}

// `tidemark status`: what the store holds, and the results of the last loads.

import type { Config } from '../config.ts';
import { type Day, isoFromDay } from '../domain/day.ts';
import { futureWarning } from '../domain/future-closes.ts';
import type { BaseInterval, Period } from '../domain/interval.ts';
import { periodText } from '../domain/period-text.ts';
import { withAbandoned } from '../ingest/only-writer.ts';
import { retentionOf } from '../ingest/retention.ts';
import {
  type IntervalTotals,
  LOADS_WITH_REJECTS_KEPT,
  type LoadLog,
  type NewestTick,
  REJECTS_KEPT,
  type StoredLoad,
  type StoredReject,
  type Totals,
} from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { isoOrNull } from './days.ts';
import { countActive } from './inactive-note.ts';
import { loadTable } from './load-table.ts';
import { storeFlag } from './program.ts';
import { count, counted, duration, facts, size, styled } from './terminal.ts';

const LOADS_SHOWN = 10;
const REJECTS_SHOWN = 5;

export const status: Command = {
  name: 'status',
  summary: 'Show what the store holds and the results of the last loads',
  usage: ['', '--load N'],
  maxArgs: 0,
  settings: ['store', 'active-days', 'retention-1m', 'retention-1h'],
  options: { load: { placeholder: 'N', doc: 'Show one load with the lines that it refused (at most 1,000)' } },
  about: `
Shows the number of assets, profiles and bars, the first and last day, what is kept of hours and minutes and what was dropped, and the
last loads with the lines that they refused and the reasons.`,
  async run({ config, options, output }) {
    const only = loadNumber(options['load']);
    return readingStore(config.store, output, async store => {
      const totals = await store.totals();
      const { assets, active, inactive, note } = await countActive(store, config['active-days']);
      const ticks = await store.newestTicks();
      const intervals = await store.intervals();
      const recorded = only === null ? await store.loads(LOADS_SHOWN) : await oneLoad(store, only);
      const loads = await withAbandoned(store, recorded);
      const rejects = await rejectsOf(store, loads, only === null ? REJECTS_SHOWN : REJECTS_KEPT);
      if (output.json) {
        const days = { firstDay: isoOrNull(totals.firstDay), lastDay: isoOrNull(totals.lastDay) };
        const counts = { ...totals, ...days, assets, active, inactive };
        const withRejects = loads.map(load => ({ ...load, rejects: rejects.get(load.id) ?? [] }));
        const series = intervals.map(each => intervalEntry(each, config));
        const all = {
          store: store.description,
          ...counts,
          intervals: series,
          ticks: ticks.map(tickEntry),
          loads: withRejects,
        };
        output.print(JSON.stringify(all, null, 2));
        return 0;
      }
      output.print(
        facts([
          ['store', `${store.description} (${size(totals.bytes)})`],
          ['assets', `${count(assets)}, ${count(totals.profiles)} with a profile`],
          ['listed', `${count(active)}${note === null ? '' : `; ${note}`}`],
          ['bars', `${count(totals.bars)} (1d)`],
          ['days', `${days(totals)}${futureNote(totals.lastDay)}`],
          ...intervals.flatMap(each => intervalFacts(each, config)),
          ...ticks.map(({ source, at }) => ['newest tick', `${source}: ${agoText(at)}`] as const),
          ['version', `${totals.version}${pendingNote(totals.pending)}`],
        ]),
      );
      const first = `Nothing was loaded yet. Load a file:\n  tidemark ingest csv FILE${storeFlag(config.store)}`;
      output.print(`\n${loads.length === 0 ? first : loadTable(loads)}`);
      for (const load of loads) for (const line of troubles(load, rejects.get(load.id) ?? [])) output.print(line);
      return 0;
    });
  },
};

function days({ firstDay, lastDay }: Totals): string {
  return firstDay === null || lastDay === null ? 'none' : `${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
}

/** Of hours and minutes; days have lines of their own. */
function intervalFacts(totals: IntervalTotals, config: Config): [string, string][] {
  const { interval, bars, first, last, droppedBefore } = totals;
  if (interval === '1d' || (bars === 0 && droppedBefore === null)) return [];
  const span =
    first === null || last === null ? '' : `, ${periodText(interval, first)} to ${periodText(interval, last)}`;
  const kept = keptDays(interval, config);
  const keeping = kept === null ? 'kept for ever' : `kept for ${counted(kept, 'day')}`;
  const gone = droppedBefore === null ? 'none dropped' : `those before ${periodText(interval, droppedBefore)} dropped`;
  return [[interval, `${counted(bars, 'bar')}${span}; ${keeping}, ${gone}`]];
}

function intervalEntry({ interval, bars, first, last, droppedBefore }: IntervalTotals, config: Config) {
  const text = (period: Period | null) => (period === null ? null : periodText(interval, period));
  const kept = { keptDays: keptDays(interval, config), droppedBefore: text(droppedBefore) };
  return { interval, bars, first: text(first), last: text(last), ...kept };
}

/** Null: for ever. */
function keptDays(interval: BaseInterval, config: Config): number | null {
  return (interval === '1d' ? 0 : retentionOf(config)[interval]) || null;
}

function futureNote(lastDay: Day | null): string {
  const note = lastDay === null ? null : futureWarning(lastDay, Date.now());
  return note === null ? '' : styled('yellow', ` (${note})`);
}

function tickEntry({ source, at }: NewestTick) {
  return { source, at: new Date(at).toISOString(), ageSeconds: Math.max(0, Math.round((Date.now() - at) / 1000)) };
}

function agoText(at: number): string {
  return `${duration(Math.max(0, Date.now() - at))} ago (${new Date(at).toISOString()})`;
}

function pendingNote(pending: number): string {
  if (pending === 0) return '';
  const reason = 'a load was interrupted; the next load publishes them';
  return styled('yellow', ` (${counted(pending, 'asset')} not published yet: ${reason})`);
}

function loadNumber(option: unknown): number | null {
  if (option === undefined) return null;
  if (typeof option === 'string' && /^[1-9]\d{0,9}$/.test(option)) return Number(option);
  throw new UsageError(`--load: expected the number of a load, got ${JSON.stringify(option)}`);
}

async function oneLoad(store: LoadLog, id: number): Promise<StoredLoad[]> {
  const found = (await store.loads(Number.MAX_SAFE_INTEGER)).filter(load => load.id === id);
  if (found.length === 0) throw new CommandError(`there is no load ${id}`, "'tidemark status' lists the last ones.");
  return found;
}

async function rejectsOf(store: LoadLog, loads: readonly StoredLoad[], limit: number) {
  const withRejects = loads.filter(load => load.rejected > 0);
  return new Map(
    await Promise.all(withRejects.map(async load => [load.id, await store.rejects(load.id, limit)] as const)),
  );
}

/** The error of a load and the lines that it refused. */
function troubles(load: StoredLoad, rejects: readonly StoredReject[]): string[] {
  const lines: string[] = [];
  if (load.error !== null) lines.push('', `${styled('red', `load ${load.id} failed:`)} ${load.error}`);
  if (load.rejected > 0 && rejects.length === 0) {
    const kept = `the store keeps those of the last ${LOADS_WITH_REJECTS_KEPT} loads`;
    lines.push('', `the rejected lines of load ${load.id} have been removed: ${kept}`);
  }
  if (rejects.length === 0) return lines;
  const shown = load.rejected > rejects.length ? ` (the first ${rejects.length} of ${count(load.rejected)})` : '';
  lines.push('', `refused by load ${load.id}${shown}:`);
  for (const { where, reason, detail } of rejects) lines.push(`  ${where}  ${styled('yellow', reason)}  ${detail}`);
  return lines;
}

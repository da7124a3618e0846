// `tidemark status`: what the store holds, and how the last loads went.

import { isoFromDay } from '../domain/day.ts';
import { openStore } from '../store/open.ts';
import {
  type LoadLog,
  REJECTED_RUNS_KEPT,
  REJECTS_KEPT,
  type Run,
  type StoredReject,
  type Totals,
} from '../store/store.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { count, counted, duration, facts, size, styled, table } from './terminal.ts';

const RUNS_SHOWN = 10;
const REJECTS_SHOWN = 5;

export const status: Command = {
  name: 'status',
  summary: 'Show what the store holds and how the last loads went',
  usage: ['', '--run N'],
  settings: ['store'],
  options: {
    run: { type: 'string', placeholder: 'N', doc: 'Show one load with everything it refused (the first 1,000)' },
  },
  about: `
Counts the assets, profiles and bars, names the first and last day, and lists the last loads with what they refused
and why.`,
  async run({ config, args, options, output }) {
    if (args.length > 0) throw new UsageError(`status takes no argument, but got ${JSON.stringify(args[0])}`);
    const only = runNumber(options['run']);
    const store = await openStore(config.store, { create: false });
    try {
      const totals = await store.totals();
      const runs = only === null ? await store.runs(RUNS_SHOWN) : await oneRun(store, only);
      const rejects = await rejectsOf(store, runs, only === null ? REJECTS_SHOWN : REJECTS_KEPT);
      if (output.json) {
        const withRejects = runs.map(run => ({ ...run, rejects: rejects.get(run.id) ?? [] }));
        const days = {
          firstDay: totals.firstDay === null ? null : isoFromDay(totals.firstDay),
          lastDay: totals.lastDay === null ? null : isoFromDay(totals.lastDay),
        };
        output.print(JSON.stringify({ store: store.description, ...totals, ...days, runs: withRejects }, null, 2));
        return 0;
      }
      output.print(
        facts([
          ['store', `${store.description} (${size(totals.bytes)})`],
          ['assets', `${count(totals.assets)}, ${count(totals.profiles)} with a profile`],
          ['bars', count(totals.bars)],
          ['days', days(totals)],
          ['version', `${totals.version}${pendingNote(totals.pending)}`],
        ]),
      );
      output.print('');
      output.print(runs.length === 0 ? 'Nothing was loaded yet: see tidemark help ingest.' : runTable(runs));
      for (const run of runs) for (const line of troubles(run, rejects.get(run.id) ?? [])) output.print(line);
      return 0;
    } finally {
      await store.close();
    }
  },
};

function days({ firstDay, lastDay }: Totals): string {
  return firstDay === null || lastDay === null ? 'none' : `${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
}

function pendingNote(pending: number): string {
  if (pending === 0) return '';
  return styled(
    'yellow',
    ` (${counted(pending, 'asset')} not computed yet: a load was interrupted; any load completes it)`,
  );
}

function runNumber(option: unknown): number | null {
  if (option === undefined) return null;
  if (typeof option === 'string' && /^[1-9]\d{0,9}$/.test(option)) return Number(option);
  throw new UsageError(`--run: expected the number of a run, got ${JSON.stringify(option)}`);
}

async function oneRun(store: LoadLog, id: number): Promise<Run[]> {
  const found = (await store.runs(Number.MAX_SAFE_INTEGER)).filter(run => run.id === id);
  if (found.length === 0) throw new CommandError(`there is no run ${id}`, "'tidemark status' lists the last ones.");
  return found;
}

async function rejectsOf(store: LoadLog, runs: readonly Run[], limit: number): Promise<Map<number, StoredReject[]>> {
  const withRejects = runs.filter(run => run.rejected > 0);
  return new Map(
    await Promise.all(withRejects.map(async run => [run.id, await store.rejects(run.id, limit)] as const)),
  );
}

function runTable(runs: readonly Run[]): string {
  const right = { right: true };
  return table(
    [
      { title: 'run', ...right },
      { title: 'source' },
      { title: 'started (UTC)' },
      { title: 'took', ...right },
      { title: 'state' },
      { title: 'read', ...right },
      { title: 'new', ...right },
      { title: 'replaced', ...right },
      { title: 'same', ...right },
      { title: 'refused', ...right },
    ],
    runs.map(run => [
      String(run.id),
      run.source,
      run.startedAt.slice(0, 19).replace('T', ' '),
      run.endedAt === null ? '' : duration(Date.parse(run.endedAt) - Date.parse(run.startedAt)),
      run.state,
      ...[run.read, run.inserted, run.replaced, run.unchanged, run.rejected].map(count),
    ]),
  );
}

/** What went wrong in a run, if anything did. */
function troubles(run: Run, rejects: readonly StoredReject[]): string[] {
  const lines: string[] = [];
  if (run.error !== null) lines.push('', `${styled('red', `run ${run.id} failed:`)} ${run.error}`);
  if (run.rejected > 0 && rejects.length === 0) {
    lines.push('', `what run ${run.id} refused is forgotten: it is kept for the last ${REJECTED_RUNS_KEPT} loads`);
  }
  if (rejects.length === 0) return lines;
  const shown = run.rejected > rejects.length ? ` (the first ${rejects.length} of ${count(run.rejected)})` : '';
  lines.push('', `refused by run ${run.id}${shown}:`);
  for (const { where, reason, detail } of rejects) lines.push(`  ${where}  ${styled('yellow', reason)}  ${detail}`);
  return lines;
}

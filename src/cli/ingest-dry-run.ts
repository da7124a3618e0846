// `tidemark ingest --dry-run`: shows how files are read and what a load would change, and stores nothing.

import { periodText } from '../domain/period-text.ts';
import { type DryRunReport, dryRun, type FileReport } from '../ingest/dry-run.ts';
import type { LoadListeners } from '../ingest/load-record.ts';
import type { Source } from '../ingest/source.ts';
import { openStore } from '../store/open.ts';
import { type Store, StoreError } from '../store/store.ts';
import type { Invocation } from './command.ts';
import { today } from './days.ts';
import { count, counted, facts, table } from './terminal.ts';

const FILES_SHOWN = 10;
const ASSETS_SHOWN = 10;

export async function runDry(
  url: string,
  source: Source,
  { options, output }: Invocation,
  listeners: Pick<LoadListeners, 'onReject' | 'onWarning'> & { readonly signal: AbortSignal },
  rejectLines: (report: DryRunReport) => readonly string[],
): Promise<number> {
  const store = await openIfThere(url);
  try {
    const report = await dryRun({ store, source, today: today(), ...listeners });
    if (output.json) output.print(JSON.stringify({ source: source.name, dryRun: true, ...report }, jsonNumber, 2));
    else output.print([...words(source.name, report), ...rejectLines(report), 'Nothing was stored.'].join('\n'));
    const isUseless = report.inserted + report.replaced + report.unchanged + report.profiles === 0;
    return isUseless || (options['strict'] === true && report.rejected > 0) ? 1 : 0;
  } finally {
    await store?.close();
  }
}

/** A dry run must not create a store. */
async function openIfThere(url: string): Promise<Store | null> {
  return openStore(url, { create: false }).catch(error => {
    if (error instanceof StoreError && error.code === 'missing') return null;
    throw error;
  });
}

function jsonNumber(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}

function words(source: string, report: DryRunReport): string[] {
  const lines = report.files.slice(0, FILES_SHOWN).flatMap(fileWords);
  if (report.files.length > FILES_SHOWN)
    lines.push(`… and ${count(report.files.length - FILES_SHOWN)} other files`, '');
  if (report.profiles > 0) lines.push(`${source}: ${counted(report.profiles, 'profile')}`);
  const { inserted, replaced, unchanged, newAssets } = report;
  if (report.read === 0) return report.profiles > 0 ? lines : [...lines, 'This load would read no bars.'];
  const shown = newAssets.slice(0, ASSETS_SHOWN).join(', ') + (newAssets.length > ASSETS_SHOWN ? ', …' : '');
  const fresh = newAssets.length === 0 ? 'none' : `${count(newAssets.length)} (${shown})`;
  lines.push(
    `This load would read ${counted(report.read, 'record')} of ${counted(report.assets, 'asset')}. New assets: ${fresh}.`,
    `It would add ${counted(inserted, 'bar')}, replace ${count(replaced)} and leave ${count(unchanged)} unchanged.`,
  );
  return lines;
}

function fileWords({ name, reading, first }: FileReport): string[] {
  const lines = [name];
  if (reading !== null) {
    const [column = '', ...columns] = reading.columns;
    lines.push(
      indented(
        facts([
          ['columns', column],
          ...columns.map(each => ['', each] as const),
          ['spacing', reading.spacing === '1 day' ? 'one row per day' : `${reading.spacing}`],
          ['interval', `${reading.interval}, ${reading.isStated ? 'as stated' : 'found from the spacing'}`],
        ]),
      ),
    );
  }
  if (first.length > 0) {
    const cell = (value: number) => (Number.isNaN(value) ? '–' : String(value));
    const rows = first.map(bar => [
      bar.symbol,
      periodText(bar.interval, bar.day),
      ...[bar.open, bar.high, bar.low, bar.close, bar.volume].map(cell),
    ]);
    lines.push(indented(table(['first bars', 'period', '>open', '>high', '>low', '>close', '>volume'], rows)));
  }
  return [...lines, ''];
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

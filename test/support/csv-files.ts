// Lets a test say what is in a file and see what the CSV source makes of it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BaseInterval } from '../../src/domain/interval.ts';
import { periodText } from '../../src/domain/period-text.ts';
import type { CsvOptions } from '../../src/ingest/csv/csv-options.ts';
import { csvSource } from '../../src/ingest/csv/csv-source.ts';
import type { Reject, SourceItem } from '../../src/ingest/source.ts';

export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tidemark-csv-'));

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

export interface SeenBar {
  readonly interval: BaseInterval;
  readonly symbol: string;
  /** Or the start of the period. */
  readonly day: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly line: number;
}

export interface Seen {
  readonly bars: SeenBar[];
  readonly rejects: Reject[];
  readonly warnings: string[];
  readonly items: SourceItem['kind'][];
}

export async function readPaths(
  paths: readonly string[],
  options: CsvOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Seen> {
  const seen: Seen = { bars: [], rejects: [], warnings: [], items: [] };
  for await (const item of csvSource(paths, options).bars(async () => null, signal)) {
    seen.items.push(item.kind);
    if (item.kind === 'reject') seen.rejects.push(item.reject);
    if (item.kind === 'warning') seen.warnings.push(item.text);
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (let i = 0; i < batch.count; i++) {
      seen.bars.push({
        symbol: batch.assets[batch.asset[i]!]!.symbol,
        interval: batch.interval,
        day: periodText(batch.interval, batch.day[i]!),
        open: batch.open[i]!,
        high: batch.high[i]!,
        low: batch.low[i]!,
        close: batch.close[i]!,
        volume: batch.volume[i]!,
        line: batch.line[i]!,
      });
    }
  }
  return seen;
}

/** What the source makes of one file; its rejects name the file `file`. */
export async function readText(content: string | Uint8Array, options: CsvOptions = {}): Promise<Seen> {
  using folder = new TestFolder();
  const path = folder.write('file', content);
  const seen = await readPaths([path], options);
  const rejects = seen.rejects.map(reject => ({ ...reject, where: reject.where.replace(path, 'file') }));
  return { ...seen, rejects, warnings: seen.warnings.map(text => text.replace(path, 'file')) };
}

/** `BTC 2024-05-12 61000`, the way in which most tests compare bars. */
export function brief(bars: readonly SeenBar[]): string[] {
  return bars.map(bar => `${bar.symbol} ${bar.day} ${bar.close}`);
}

/** `file:3 bad_day`. */
export function reasons(rejects: readonly Reject[]): string[] {
  return rejects.map(reject => `${reject.where} ${reject.reason}`);
}

// The source of bars in CSV files: as exchanges, data vendors and spreadsheets write them, also in zip archives.

import { type BaseInterval, periodOfMillis } from '../../domain/interval.ts';
import { periodText } from '../../domain/period-text.ts';
import { DamagedInput, findInputs, type Input, itemsWithProgress, readInput } from '../inputs.ts';
import { type RejectReason, type Since, type Source, type SourceItem, SourceUsageError } from '../source.ts';
import { checkEntry, compareChecksum, isZip, readEntry, zipEntries } from '../zip.ts';
import { BarBatcher } from './bar-batcher.ts';
import { type ChosenInterval, chooseInterval } from './choose-interval.ts';
import { type CsvOptions, checkOptions } from './csv-options.ts';
import { dateFormat } from './date-format.ts';
import { CSV_ENDINGS, FORMATS, formatOfName, withFormat } from './file-formats.ts';
import { Notes } from './file-notes.ts';
import { symbolOfFile } from './file-symbol.ts';
import { type Chunks, nextChunk, notText, readHead, withoutMark } from './head.ts';
import { columnWords, findLayout } from './layout.ts';
import { RowReader } from './row-reader.ts';
import { RowScanner } from './row-scanner.ts';
import { findSpacing, type Spacing } from './spacing.ts';

const ARCHIVE = '.zip';

/**
 * Files, folders and `-` for standard input. Whatever is stored already, files are read whole: they are often corrected at any
 * place. Of two bars of one day in different files the one in the later file counts.
 */
export function csvSource(inputs: readonly string[], given: CsvOptions = {}): Source {
  const options = withFormat(given);
  checkOptions(options);
  return {
    name: 'csv',
    ...(options.source === undefined ? {} : { barSource: options.source }),
    check: async () => void (await findFiles(inputs, options)),
    async *profiles() {},
    bars: (_since: Since, signal: AbortSignal) => bars(inputs, options, signal),
  };
}

async function findFiles(paths: readonly string[], options: CsvOptions): Promise<Input[]> {
  const inputs = await findInputs(paths, [...CSV_ENDINGS, ARCHIVE]);
  if (options.symbol !== undefined && inputs.length > 1) {
    throw new SourceUsageError(
      `--symbol ${options.symbol} names the asset of one file, and these are ${inputs.length}`,
      'load them one by one, or name each asset by its file with --symbol-from-name',
    );
  }
  return inputs;
}

async function* bars(
  paths: readonly string[],
  options: CsvOptions,
  signal: AbortSignal,
): AsyncGenerator<SourceItem, void, undefined> {
  const inputs = await findFiles(paths, options);
  const batcher = new BarBatcher();
  const notes = new Notes(options);
  const itemsOf = (input: Input, onRead: (bytes: number) => void) =>
    input.path !== null && isZip(input.path)
      ? archiveItems(input, input.path, options, batcher, notes, signal, onRead)
      : fileItems(input, options, batcher, notes, readInput(input, signal, onRead));
  yield* itemsWithProgress(inputs, itemsOf, () => notes.items());
}

/** The items of the files in a zip archive. Nothing of a damaged one is read. */
async function* archiveItems(
  input: Input,
  path: string,
  options: CsvOptions,
  batcher: BarBatcher,
  notes: Notes,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<SourceItem | null, void, undefined> {
  try {
    await compareChecksum(path, signal);
    const entries = (await zipEntries(path)).filter(({ name }) =>
      CSV_ENDINGS.some(ending => name.toLowerCase().endsWith(ending)),
    );
    for (const entry of entries) await checkEntry(path, entry, signal);
    if (entries.length === 0)
      throw new DamagedInput(`the archive holds no file that ends in ${CSV_ENDINGS.join(', ')}`);
    for (const entry of entries) {
      const name = entries.length === 1 ? input.name : `${input.name}/${entry.name}`;
      const own = options.format === undefined ? formatOfName(entry.name, options) : options;
      const file = { name, path: entry.name, size: null };
      yield* fileItems(file, own, batcher, notes, readEntry(path, entry, signal, onRead));
    }
  } catch (error) {
    if (!(error instanceof DamagedInput)) throw error;
    yield reject(input, 1, 'damaged', error.message);
  }
}

/** The items of one file; null after each chunk, when progress may be reported. */
async function* fileItems(
  input: Input,
  options: CsvOptions,
  batcher: BarBatcher,
  notes: Notes,
  chunks: Chunks,
): AsyncGenerator<SourceItem | null, void, undefined> {
  const symbol = options.symbolFromName ? symbolByName(input, options) : options.symbol;
  if (symbol === null) {
    const flag =
      options.namePattern === undefined ? `--format ${options.format}` : `--name-pattern ${options.namePattern}`;
    const detail = `the file name does not match ${flag}; name the asset with --symbol`;
    yield reject(input, 1, 'missing_symbol', detail);
    return;
  }
  const named = intervalByName(input, options);
  if (typeof named === 'object') {
    yield reject(input, 1, 'wrong_spacing', named.problem);
    return;
  }
  try {
    const head = await readHead(chunks);
    const text = withoutMark(head.bytes);
    const layout = notText(head.bytes) ?? findLayout(text, head.end !== null, options);
    if ('problem' in layout) {
      const damage = head.end instanceof DamagedInput ? head.end.message : null;
      yield damage === null
        ? reject(input, layout.line, layout.reason, layout.problem)
        : reject(input, 1, 'truncated', `${damage}; no row could be read`);
      return;
    }
    const format = options.dateFormat === undefined ? null : dateFormat(options.dateFormat);
    const spacing = findSpacing(text, head.end !== null, layout, format);
    const chosen = chooseInterval(spacing, named);
    if ('problem' in chosen) {
      yield reject(input, layout.firstLine, 'wrong_spacing', chosen.problem);
      return;
    }
    const { interval, rowsPerPeriod } = chosen;
    const columns = columnWords(layout, { ...options, symbol });
    const isStated = named !== undefined;
    yield { kind: 'file', file: { name: input.name, columns, spacing: spacing.words, interval, isStated } };
    const scanner = new RowScanner(layout.delimiter);
    const now = options.now ?? Date.now();
    batcher.startFile({
      interval,
      rowsPerPeriod: options.keepIncomplete ? 1 : rowsPerPeriod,
      eachIsBar: interval !== '1d' && rowsPerPeriod === 1,
      current: periodOfMillis(interval, now) ?? 0,
    });
    const reader = new RowReader(scanner, layout, batcher, { ...options, symbol, now, interval });
    const reading = { reader, batcher, input, spacing, chosen };
    scanner.push(text);
    let end = head.end;
    while (end === null) {
      yield* rowItems(reading);
      yield null;
      const chunk = await nextChunk(chunks);
      if (chunk instanceof Uint8Array) scanner.push(chunk);
      else end = chunk;
    }
    const damage = end === 'end' ? null : { line: scanner.cut(), message: end.message };
    if (damage === null) scanner.finish();
    yield* rowItems(reading);
    if (damage !== null) {
      yield reject(input, damage.line, 'truncated', `${damage.message}; everything before this line is read`);
    }
    for (const batch of batcher.takeAll(input.name)) yield { kind: 'bars', batch };
    yield* incompletePeriods(reading);
    yield* fileWarnings(reading);
    notes.add(input.name, layout, reader.symbols, batcher.isWeekly);
  } finally {
    await chunks.return();
  }
}

interface FileRows {
  readonly reader: RowReader;
  readonly batcher: BarBatcher;
  readonly input: Input;
  readonly spacing: Spacing;
  readonly chosen: ChosenInterval;
}

function* rowItems(rows: FileRows): Generator<SourceItem, void, undefined> {
  const { reader, batcher, input } = rows;
  for (let stop = reader.read(); stop !== 'more'; stop = reader.read()) {
    // Rows before the one at which it shows that they are of another interval.
    for (const line of batcher.takeMixed()) {
      const { reason, detail } = reader.mixed(line);
      yield reject(input, line, reason, detail);
    }
    if (stop === 'full') yield { kind: 'bars', batch: batcher.take(input.name) };
    else yield reject(input, stop.line, stop.reason, stop.detail);
  }
  yield* incompletePeriods(rows);
}

function* incompletePeriods({ batcher, input, spacing, chosen }: FileRows): Generator<SourceItem, void, undefined> {
  const { interval, rowsPerPeriod } = chosen;
  const such = interval === '1d' ? 'days' : 'periods';
  for (const { symbol, period, rows, line } of batcher.takeIncomplete()) {
    const found = `${periodText(interval, period)} of ${symbol} has ${rows} of ${rowsPerPeriod} rows, ${spacing.words} apart`;
    yield reject(input, line, 'incomplete_day', `${found}; --keep-incomplete stores such ${such}`);
  }
}

/** What is loaded and may be wrong all the same. */
function* fileWarnings({ reader, batcher, input, chosen }: FileRows): Generator<SourceItem, void, undefined> {
  const { interval } = chosen;
  const { gaps } = batcher;
  const { otherUnit } = reader;
  if (interval === '1d') return;
  if (otherUnit !== null) {
    const { line, before, now } = otherUnit;
    yield warning(
      `${input.name}:${line}: a time in ${now}, after times in ${before}; each is read by its number of digits`,
    );
  }
  if (gaps === null) return;
  const { places, periods } = gaps;
  const such = interval === '1h' ? 'hours' : 'minutes';
  if (places === null) {
    yield warning(
      `${input.name}: the rows are not in order of time; ${periods} ${such} between the first and the last one of an asset have no row; they are kept as gaps`,
    );
    return;
  }
  const { clockChange, count, line, from, to } = places;
  if (clockChange !== null) {
    const missing = periodText(interval, clockChange.period);
    yield warning(
      `${input.name}:${clockChange.line}: the hour from ${missing} is missing, in a night in which clocks change: are the times local? They are read as UTC`,
    );
  }
  const first =
    from === to ? periodText(interval, from) : `${periodText(interval, from)} to ${periodText(interval, to)}`;
  yield warning(
    `${input.name}:${line}: ${count === 1 ? 'one gap' : `${count} gaps`}, ${periods} ${such} without a row, at first ${first}; they are kept as gaps`,
  );
}

function warning(text: string): SourceItem {
  return { kind: 'warning', text };
}

/** What a person or the name of the file says of its rows; undefined if neither does. */
function intervalByName(input: Input, options: CsvOptions): BaseInterval | undefined | { readonly problem: string } {
  if (options.interval !== undefined) return options.interval;
  // Prices of moments, of which one per day is a close.
  if (options.closesAtMidnight) return '1d';
  if (options.format === undefined || input.path === null) return undefined;
  return FORMATS[options.format].intervalOf?.(input.path);
}

/** Null if the name does not fit. Standard input has none. */
function symbolByName(input: Input, { format, namePattern }: CsvOptions): string | null {
  if (namePattern !== undefined || format === undefined) return symbolOfFile(input.name, namePattern);
  return input.path === null ? null : (FORMATS[format].symbolOf?.(input.path) ?? null);
}

function reject(input: Input, line: number, reason: RejectReason, detail: string): SourceItem {
  return { kind: 'reject', reject: { where: `${input.name}:${line}`, reason, detail } };
}

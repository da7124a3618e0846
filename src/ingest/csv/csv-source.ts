// The source of daily bars in CSV files: as exchanges, data vendors and spreadsheets write them.

import { type Day, isoFromDay, MILLIS_PER_DAY } from '../../domain/day.ts';
import { DamagedInput, findInputs, type Input, readInput, totalSize } from '../inputs.ts';
import { type RejectReason, type Since, type Source, type SourceItem, SourceUsageError } from '../source.ts';
import { BarBatcher } from './bar-batcher.ts';
import { type CsvOptions, checkOptions } from './csv-options.ts';
import { dateFormat } from './date-format.ts';
import { FORMATS, withFormat } from './file-formats.ts';
import { Notes } from './file-notes.ts';
import { symbolOfFile } from './file-symbol.ts';
import { columnWords, findLayout, HEAD_BYTES, type NoLayout } from './layout.ts';
import { RowReader } from './row-reader.ts';
import { RowScanner } from './row-scanner.ts';
import { findSpacing, type Spacing } from './spacing.ts';

/** Names in a folder that are taken for CSV files. */
const ENDINGS = ['.csv', '.tsv', '.txt'];
const ZIP_START = Buffer.from('PK\x03\x04');
const PROGRESS_BYTES = 1024 * 1024;

/**
 * Files, folders and `-` for standard input. Whatever is stored already, files are read whole: they are often corrected at any
 * place. Of two bars of one day in different files the one in the later file counts.
 */
export function csvSource(inputs: readonly string[], given: CsvOptions = {}): Source {
  const options = withFormat(given);
  checkOptions(options);
  return {
    name: 'csv',
    check: async () => void (await findFiles(inputs, options)),
    async *profiles() {},
    bars: (_since: Since, signal: AbortSignal) => bars(inputs, options, signal),
  };
}

async function findFiles(paths: readonly string[], options: CsvOptions): Promise<Input[]> {
  const inputs = await findInputs(paths, ENDINGS);
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
  const total = totalSize(inputs);
  const batcher = new BarBatcher();
  const notes = new Notes(options);
  let done = 0;
  let reported = 0;
  const onRead = (bytes: number): void => {
    done += bytes;
  };
  for (const input of inputs) {
    for await (const item of fileItems(input, options, batcher, notes, signal, onRead)) {
      if (item !== null) yield item;
      if (done - reported < PROGRESS_BYTES) continue;
      reported = done;
      yield { kind: 'progress', done, total, unit: 'bytes' };
    }
  }
  yield* notes.items();
  yield { kind: 'progress', done, total, unit: 'bytes' };
}

/** The items of one file; null after each chunk, when progress may be reported. */
async function* fileItems(
  input: Input,
  options: CsvOptions,
  batcher: BarBatcher,
  notes: Notes,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<SourceItem | null, void, undefined> {
  const symbol = options.symbolFromName ? symbolByName(input, options) : options.symbol;
  if (symbol === null) {
    const flag =
      options.namePattern === undefined ? `--format ${options.format}` : `--name-pattern ${options.namePattern}`;
    const detail = `the file name does not match ${flag}; name the asset with --symbol`;
    yield reject(input, 1, 'missing_symbol', detail);
    return;
  }
  const chunks = readInput(input, signal, onRead);
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
    yield {
      kind: 'file',
      file: { name: input.name, columns: columnWords(layout, { ...options, symbol }), spacing: spacing.words },
    };
    const scanner = new RowScanner(layout.delimiter);
    const today = options.today ?? Math.floor(Date.now() / MILLIS_PER_DAY);
    batcher.startFile({ rowsPerDay: options.keepIncomplete ? 1 : spacing.perDay, today });
    const reader = new RowReader(scanner, layout, batcher, { ...options, symbol, today });
    scanner.push(text);
    let end = head.end;
    while (end === null) {
      yield* rowItems(reader, batcher, input, spacing);
      yield null;
      const chunk = await nextChunk(chunks);
      if (chunk instanceof Uint8Array) scanner.push(chunk);
      else end = chunk;
    }
    const damage = end === 'end' ? null : { line: scanner.cut(), message: end.message };
    if (damage === null) scanner.finish();
    yield* rowItems(reader, batcher, input, spacing);
    if (damage !== null) {
      yield reject(input, damage.line, 'truncated', `${damage.message}; everything before this line is read`);
    }
    for (const batch of batcher.takeAll(input.name)) yield { kind: 'bars', batch };
    yield* incompleteDays(batcher, input, spacing);
    notes.add(input.name, layout, reader.symbols, batcher.isWeekly);
  } finally {
    await chunks.return();
  }
}

function* rowItems(
  reader: RowReader,
  batcher: BarBatcher,
  input: Input,
  spacing: Spacing,
): Generator<SourceItem, void, undefined> {
  for (let stop = reader.read(); stop !== 'more'; stop = reader.read()) {
    if (stop === 'full') yield { kind: 'bars', batch: batcher.take(input.name) };
    else yield reject(input, stop.line, stop.reason, stop.detail);
  }
  yield* incompleteDays(batcher, input, spacing);
}

function* incompleteDays(
  batcher: BarBatcher,
  input: Input,
  { perDay, words }: Spacing,
): Generator<SourceItem, void, undefined> {
  for (const { symbol, day, rows, line } of batcher.takeIncomplete()) {
    const found = `${isoFromDay(day as Day)} of ${symbol} has ${rows} of ${perDay} rows, ${words} apart`; // the day of an instant
    yield reject(input, line, 'incomplete_day', `${found}; --keep-incomplete stores such days`);
  }
}

/** Null if the name does not fit. Standard input has none. */
function symbolByName(input: Input, { format, namePattern }: CsvOptions): string | null {
  if (namePattern !== undefined || format === undefined) return symbolOfFile(input.name, namePattern);
  return input.path === null ? null : (FORMATS[format].symbolOf?.(input.name) ?? null);
}

function reject(input: Input, line: number, reason: RejectReason, detail: string): SourceItem {
  return { kind: 'reject', reject: { where: `${input.name}:${line}`, reason, detail } };
}

type End = 'end' | DamagedInput;

async function nextChunk(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer | End> {
  try {
    const { value, done } = await chunks.next();
    return done ? 'end' : value;
  } catch (error) {
    if (error instanceof DamagedInput) return error;
    throw error;
  }
}

/** Enough of the file to find its header in. */
async function readHead(
  chunks: AsyncGenerator<Buffer, void, undefined>,
): Promise<{ readonly bytes: Buffer; readonly end: End | null }> {
  const parts: Buffer[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const chunk = await nextChunk(chunks);
    if (!(chunk instanceof Uint8Array)) return { bytes: Buffer.concat(parts), end: chunk };
    parts.push(chunk);
    length += chunk.length;
  }
  return { bytes: Buffer.concat(parts), end: null };
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}

/** Text has no zero bytes, except in UTF-16, and in no other form would a header be found. */
function notText(bytes: Buffer): NoLayout | null {
  if (bytes.subarray(0, 4).equals(ZIP_START)) {
    const problem = 'the file is a spreadsheet (xlsx) or a zip archive; save it as CSV, or unpack it';
    return { line: 1, reason: 'bad_encoding', problem };
  }
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!marked && !bytes.subarray(0, 1024).includes(0)) return null;
  const problem = marked ? 'the file is UTF-16; save it as UTF-8' : 'the file is not text; CSV in UTF-8 is expected';
  return { line: 1, reason: 'bad_encoding', problem };
}

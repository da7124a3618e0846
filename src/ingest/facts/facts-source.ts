// The source of facts of past days in CSV files: the market capitalisations, supplies and ranks that providers export.

import { MAX_SYMBOL_LENGTH } from '../../domain/asset.ts';
import { dayOfMillis } from '../../domain/day.ts';
import { type DateFormat, dateFormat } from '../csv/date-format.ts';
import { CSV_ENDINGS } from '../csv/file-formats.ts';
import { type Chunks, nextChunk, notText, readHead, withoutMark } from '../csv/head.ts';
import { type DecimalSign, isAmbiguousNumber, parseNumber, saysUnknown } from '../csv/numbers.ts';
import { RowScanner, SCANNED } from '../csv/row-scanner.ts';
import { parseInstant } from '../csv/times.ts';
import { DamagedInput, findInputs, type Input, itemsWithProgress, readInput } from '../inputs.ts';
import {
  type AssetRef,
  type RejectReason,
  type Source,
  type SourceItem,
  SourceUsageError,
  type StatedFacts,
} from '../source.ts';
import { type FactLayout, findFactLayout } from './fact-columns.ts';

export interface FactsOptions {
  /** The asset of a file that has no column for it, by id or by ticker. */
  readonly asset?: string;
  readonly symbol?: string;
  readonly dateFormat?: string;
  readonly decimal?: '.' | ',';
}

/** Rows of a batch. Within one, the order of the rows does not matter. */
const BATCH_ROWS = 2 ** 17;
const MAX_RANK = 2 ** 31 - 1;

export function factsSource(paths: readonly string[], options: FactsOptions = {}): Source {
  if (options.asset !== undefined && options.symbol !== undefined)
    throw new SourceUsageError('--asset and --symbol exclude each other', 'name the asset once');
  if (options.dateFormat !== undefined) dateFormat(options.dateFormat);
  return {
    name: 'facts',
    check: async () => void (await findFiles(paths, options)),
    async *profiles() {},
    bars: (_, signal) => facts(paths, options, signal),
  };
}

async function findFiles(paths: readonly string[], { asset, symbol }: FactsOptions): Promise<Input[]> {
  const inputs = await findInputs(paths, CSV_ENDINGS);
  if ((asset ?? symbol) !== undefined && inputs.length > 1) {
    const flag = asset === undefined ? `--symbol ${symbol}` : `--asset ${asset}`;
    throw new SourceUsageError(
      `${flag} names the asset of one file, and these are ${inputs.length}`,
      'load them one by one',
    );
  }
  return inputs;
}

async function* facts(
  paths: readonly string[],
  options: FactsOptions,
  signal: AbortSignal,
): AsyncGenerator<SourceItem, void, undefined> {
  const inputs = await findFiles(paths, options);
  yield* itemsWithProgress(inputs, (input, onRead) => fileItems(input, options, readInput(input, signal, onRead)));
}

/** Null after each chunk, when progress may be reported. */
async function* fileItems(
  input: Input,
  options: FactsOptions,
  chunks: Chunks,
): AsyncGenerator<SourceItem | null, void, undefined> {
  const reject = (line: number, reason: RejectReason, detail: string): SourceItem => ({
    kind: 'reject',
    reject: { where: `${input.name}:${line}`, reason, detail },
  });
  try {
    const head = await readHead(chunks);
    const text = withoutMark(head.bytes);
    const broken = notText(head.bytes);
    if (broken !== null) {
      yield reject(broken.line, broken.reason, broken.problem);
      return;
    }
    const layout = findFactLayout(text, head.end !== null, (options.asset ?? options.symbol) !== undefined);
    if ('problem' in layout) {
      yield head.end instanceof DamagedInput
        ? reject(1, 'truncated', `${head.end.message}; no row could be read`)
        : reject(layout.line, 'missing_column', layout.problem);
      return;
    }
    const scanner = new RowScanner(layout.delimiter);
    const reader = new FactRows(scanner, layout, options, input.name);
    function* rowItems(): Generator<SourceItem, void, undefined> {
      for (let row = reader.next(); row !== 'more'; row = reader.next()) {
        if (row === 'full') yield { kind: 'facts', stated: reader.take() };
        else yield reject(row.line, row.reason, row.detail);
      }
    }
    scanner.push(text);
    let end = head.end;
    while (end === null) {
      yield* rowItems();
      yield null;
      const chunk = await nextChunk(chunks);
      if (chunk instanceof Uint8Array) scanner.push(chunk);
      else end = chunk;
    }
    const damage = end === 'end' ? null : { line: scanner.cut(), message: end.message };
    if (damage === null) scanner.finish();
    yield* rowItems();
    if (damage !== null)
      yield reject(damage.line, 'truncated', `${damage.message}; everything before this line is read`);
    const rest = reader.take();
    if (rest.rows.length > 0) yield { kind: 'facts', stated: rest };
  } finally {
    await chunks.return();
  }
}

interface BadRow {
  readonly line: number;
  readonly reason: RejectReason;
  readonly detail: string;
}

type Row = StatedFacts['rows'][number];

/** Reads the rows of one file. */
class FactRows {
  readonly #scanner: RowScanner;
  readonly #layout: FactLayout;
  readonly #origin: string;
  readonly #given: AssetRef | null;
  readonly #decimal: DecimalSign;
  readonly #format: DateFormat | null;
  readonly #assets = new Map<string, AssetRef>();
  #rows: Row[] = [];

  constructor(scanner: RowScanner, layout: FactLayout, options: FactsOptions, origin: string) {
    const { asset, symbol, decimal, dateFormat: format } = options;
    this.#scanner = scanner;
    this.#layout = layout;
    this.#origin = origin;
    this.#given = asset !== undefined ? refOf(asset, '') : symbol !== undefined ? refOf('', symbol) : null;
    this.#decimal = decimal;
    this.#format = format === undefined ? null : dateFormat(format);
  }

  /** Reads until the bytes are used up, the batch is full, or a row is bad. */
  next(): 'more' | 'full' | BadRow {
    const scanner = this.#scanner;
    while (this.#rows.length < BATCH_ROWS) {
      const scanned = scanner.next();
      if (scanned === SCANNED.more) return 'more';
      if (scanner.line < this.#layout.firstLine) continue;
      if (scanned === SCANNED.broken) return this.#bad('broken_row', scanner.fault);
      const bad = this.#row();
      if (bad !== null) return bad;
    }
    return 'full';
  }

  take(): StatedFacts {
    const rows = this.#rows;
    this.#rows = [];
    return { origin: this.#origin, rows };
  }

  #row(): BadRow | null {
    const { columns, header } = this.#layout;
    const { cells, line } = this.#scanner;
    if (cells === 1 && this.#text(0) === '') return null;
    if (cells !== header.length) {
      return this.#bad('broken_row', `${cells} ${cells === 1 ? 'cell' : 'cells'}, but the header has ${header.length}`);
    }
    // Files that were joined together repeat the header.
    if (header.every((name, cell) => this.#text(cell) === name)) return null;
    const asset = this.#given ?? this.#asset();
    if ('reason' in asset) return asset;
    const instant = this.#instant(columns.day);
    const day = Number.isNaN(instant) ? null : dayOfMillis(columns.endsAtMidnight ? instant - 1 : instant);
    if (day === null) {
      const found = shortened(this.#text(columns.day));
      const right = 'write 2024-05-31, an ISO time, or a Unix time in seconds or milliseconds, or give --date-format';
      return this.#bad('bad_day', `${found} is not a day; ${right}`);
    }
    const facts = {
      rank: this.#number(columns.rank),
      supply: this.#number(columns.supply),
      marketCap: this.#number(columns.marketCap),
    };
    for (const [name, value] of Object.entries(facts))
      if (typeof value === 'string') return this.#badNumber(name, value);
    const { rank, supply, marketCap } = facts as Record<keyof typeof facts, number | undefined>; // texts were refused
    if (rank !== undefined && !(Number.isInteger(rank) && rank <= MAX_RANK)) {
      return this.#bad('bad_number', `the rank ${rank} is not a whole number from 1`);
    }
    this.#rows.push({
      ...{ asset, line, day },
      ...(rank === undefined ? {} : { rank }),
      ...(supply === undefined ? {} : { supply }),
      ...(marketCap === undefined ? {} : { marketCap }),
    });
    return null;
  }

  #asset(): AssetRef | BadRow {
    const { id: idColumn, symbol: symbolColumn } = this.#layout.columns;
    const id = idColumn < 0 ? '' : this.#text(idColumn);
    const symbol = symbolColumn < 0 ? '' : this.#text(symbolColumn);
    if (id === '' && symbol === '')
      return this.#bad('missing_symbol', 'the row names no asset; an id such as btc-bitcoin or a ticker is expected');
    const name = `${id}\n${symbol}`;
    const known = this.#assets.get(name);
    if (known !== undefined) return known;
    if (symbol.length > MAX_SYMBOL_LENGTH)
      return this.#bad('bad_symbol', `${shortened(symbol)} has more than ${MAX_SYMBOL_LENGTH} characters`);
    const ref = refOf(id, symbol);
    this.#assets.set(name, ref);
    return ref;
  }

  #instant(column: number): number {
    const text = Buffer.from(this.#text(column));
    return parseInstant(text, 0, text.length, this.#format);
  }

  /** Undefined if it is not known: providers write 0 for that too. The text itself if it is not a number from 0. */
  #number(column: number): number | string | undefined {
    if (column < 0) return undefined;
    const { bytes, from, to } = this.#scanner;
    const value = parseNumber(bytes, from[column]!, to[column]!, this.#decimal);
    if (Number.isFinite(value) && value >= 0) return value === 0 ? undefined : value;
    return Number.isNaN(value) && saysUnknown(bytes, from[column]!, to[column]!) ? undefined : this.#text(column);
  }

  #badNumber(name: string, text: string): BadRow {
    const what = name === 'marketCap' ? 'market cap' : name;
    const [fault, right] = isAmbiguousNumber(text)
      ? ['can be read in two ways', 'say which sign comes before the decimals: --decimal . or --decimal ,']
      : ['is not a number from 0', 'write 1234.5 or 1.2e9, or leave the cell empty'];
    return this.#bad('bad_number', `the ${what} ${shortened(text)} ${fault}; ${right}`);
  }

  #text(cell: number): string {
    return this.#scanner.text(cell);
  }

  #bad(reason: RejectReason, detail: string): BadRow {
    return { line: this.#scanner.line, reason, detail };
  }
}

function refOf(id: string, symbol: string): AssetRef {
  return { id: id === '' ? null : id, symbol };
}

const SHOWN_CHARACTERS = 40;

function shortened(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

// Writes a Parquet file: row groups with one page per column in ZSTD frames, then the footer with statistics and metadata.
//
// A writer of our own: hyparquet-writer needs several times as long, writes no column orders, without which readers ignore
// minimum and maximum, and cannot take the columns as they are in memory.

import zlib from 'node:zlib';
import { type ChunkContent, ColumnChunk, type ColumnValues, ENCODING } from './column-chunk.ts';
import { type ParquetColumn, PHYSICAL_OF, schemaElements } from './schema.ts';
import { storedFrame } from './stored-frame.ts';
import { binary, bool, i32, i64, list, struct, type ThriftValue, thriftBytes } from './thrift.ts';

const MAGIC = Buffer.from('PAR1');
const CODEC_ZSTD = 6;
const PAGE = { data: 0, dictionary: 2 } as const;
/** The fastest level: doubles of prices shrink hardly more with the others. */
const LEVEL = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };
/** More than a frame of stored blocks needs beside its content. */
const FRAME_BYTES = 1024;
/** Of the plain size. Computed doubles shrink by a twentieth, which takes longer than writing them: such pages are stored as they are. */
const WORTHWHILE = 0.9;
const SAMPLE_BYTES = 8192;

export interface ParquetFacts {
  readonly columns: readonly ParquetColumn[];
  /** Of a row group. */
  readonly maxRows: number;
  /** For people and programs that read the file: units, formulas, the version. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The program, as `NAME version VERSION`. */
  readonly createdBy: string;
}

/** Takes the bytes of a file, in order. They may change once it has returned. */
export interface Sink {
  write(bytes: Buffer): Promise<void> | void;
}

interface WrittenChunk {
  readonly metadata: ThriftValue;
  readonly plainBytes: number;
  readonly bytes: number;
}

export class ParquetWriter {
  readonly #facts: ParquetFacts;
  readonly #sink: Sink;
  readonly #chunks: readonly ColumnChunk[];
  readonly #groups: ThriftValue[] = [];
  #position = 0;
  #pending = 0;
  #rows = 0;

  /** `chunks` may be those of a finished file of the same facts, whose memory is then used again. */
  constructor(sink: Sink, facts: ParquetFacts, chunks = newChunks(facts)) {
    this.#facts = facts;
    this.#sink = sink;
    this.#chunks = chunks;
  }

  /** Of the file so far. */
  get rows(): number {
    return this.#rows + this.#pending;
  }

  /** Adds rows `from … to - 1` of columns in the order of the schema. */
  async add(values: readonly ColumnValues[], from: number, to: number): Promise<void> {
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + this.#facts.maxRows - this.#pending);
      for (const [i, chunk] of this.#chunks.entries()) chunk.add(values[i]!, start, end);
      this.#pending += end - start;
      start = end;
      if (this.#pending === this.#facts.maxRows) await this.#endGroup();
    }
  }

  /** Writes what is left and the footer. */
  async finish(): Promise<void> {
    if (this.#pending > 0) await this.#endGroup();
    await this.#start();
    const { columns, metadata, createdBy } = this.#facts;
    const footer = thriftBytes({
      1: i32(2),
      2: list('struct', schemaElements(columns)),
      3: i64(this.#rows),
      4: list('struct', this.#groups),
      5: list(
        'struct',
        Object.entries(metadata).map(([key, value]) => struct({ 1: binary(key), 2: binary(value) })),
      ),
      6: binary(createdBy),
      // The order of the type: without it, readers do not trust minimum and maximum.
      7: list(
        'struct',
        columns.map(() => struct({ 1: struct({}) })),
      ),
    });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    await this.#write(Buffer.concat([footer, length, MAGIC]));
  }

  async #start(): Promise<void> {
    if (this.#position === 0) await this.#write(MAGIC);
  }

  async #endGroup(): Promise<void> {
    const rows = this.#pending;
    this.#rows += rows;
    this.#pending = 0;
    await this.#start();
    const start = this.#position;
    const written: WrittenChunk[] = [];
    for (const chunk of this.#chunks) written.push(await this.#writeChunk(chunk.column, compressed(chunk.take())));
    this.#groups.push(
      struct({
        1: list(
          'struct',
          written.map(({ metadata }) => struct({ 2: i64(0), 3: metadata })),
        ),
        2: i64(written.reduce((sum, { plainBytes }) => sum + plainBytes, 0)),
        3: i64(rows),
        5: i64(start),
        6: i64(this.#position - start),
      }),
    );
  }

  async #writeChunk(
    { name, kind }: ParquetColumn,
    { content, dictionary, data }: CompressedChunk,
  ): Promise<WrittenChunk> {
    const start = this.#position;
    if (dictionary !== null) await this.#write(dictionary.header, ...dictionary.parts);
    const dataStart = this.#position;
    await this.#write(data.header, ...data.parts);
    const pages = dictionary === null ? [data] : [dictionary, data];
    const plainBytes = pages.reduce((sum, page) => sum + page.header.length + page.plainBytes, 0);
    const bytes = this.#position - start;
    const encodings = [...new Set([ENCODING.plain, ENCODING.rle, content.encoding])];
    const metadata = struct({
      1: i32(PHYSICAL_OF[kind]),
      2: list('i32', encodings.map(i32)),
      3: list('binary', [binary(name)]),
      4: i32(CODEC_ZSTD),
      5: i64(content.rows),
      6: i64(plainBytes),
      7: i64(bytes),
      9: i64(dataStart),
      11: dictionary && i64(start),
      12: statistics(content),
    });
    return { metadata, plainBytes, bytes };
  }

  async #write(...parts: Buffer[]): Promise<void> {
    for (const bytes of parts) {
      await this.#sink.write(bytes);
      this.#position += bytes.length;
    }
  }
}

export function newChunks({ columns, maxRows }: Pick<ParquetFacts, 'columns' | 'maxRows'>): readonly ColumnChunk[] {
  return columns.map(column => new ColumnChunk(column, maxRows));
}

type PageFacts = Readonly<Record<number, ThriftValue>>;

interface CompressedPage {
  readonly header: Buffer;
  /** Of its bytes, in order. */
  readonly parts: readonly Buffer[];
  readonly plainBytes: number;
}

interface CompressedChunk {
  readonly content: ChunkContent;
  readonly dictionary: CompressedPage | null;
  readonly data: CompressedPage;
}

function compressed(content: ChunkContent): CompressedChunk {
  const { dictionary, page, rows, encoding } = content;
  const levels = i32(ENCODING.rle);
  const described = { 5: struct({ 1: i32(rows), 2: i32(encoding), 3: levels, 4: levels }) };
  const data = compressedPage(page, PAGE.data, described);
  if (dictionary === null) return { content, dictionary: null, data };
  const facts = { 7: struct({ 1: i32(dictionary.values), 2: i32(ENCODING.plain) }) };
  return { content, dictionary: compressedPage(dictionary.bytes, PAGE.dictionary, facts), data };
}

function compressedPage(page: Buffer, type: number, facts: PageFacts): CompressedPage {
  const parts = isWorthwhile(page) ? [zstd(page)] : storedFrame(page);
  return { header: pageHeader(type, page.length, parts, facts), parts, plainBytes: page.length };
}

function zstd(bytes: Buffer): Buffer {
  // With the size known before, one buffer is enough, and the compressor takes tables that fit: half of the time.
  const options = { params: LEVEL, pledgedSrcSize: bytes.length, chunkSize: bytes.length + FRAME_BYTES };
  return zlib.zstdCompressSync(bytes, options);
}

/** Judged by a part from its middle. */
function isWorthwhile(page: Buffer): boolean {
  const start = Math.max(0, (page.length - SAMPLE_BYTES) >> 1);
  const sample = page.subarray(start, start + SAMPLE_BYTES);
  return zstd(sample).length < WORTHWHILE * sample.length;
}

function pageHeader(type: number, plainBytes: number, parts: readonly Buffer[], facts: PageFacts): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  // The field is signed.
  const checksum = parts.reduce((sum, part) => zlib.crc32(part, sum), 0) | 0;
  return thriftBytes({ 1: i32(type), 2: i32(plainBytes), 3: i32(size), 4: i32(checksum), ...facts });
}

function statistics({ nulls, min, max }: ChunkContent): ThriftValue {
  if (min === null || max === null) return struct({ 3: i64(nulls) });
  return struct({ 3: i64(nulls), 5: binary(max), 6: binary(min), 7: bool(true), 8: bool(true) });
}

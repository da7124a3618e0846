// Mutants that no test can notice, each with the reason.

export interface Equivalent {
  /** End of the file's path. */
  readonly file: string;
  /** Part of the line. */
  readonly text: string;
  readonly was: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'store/postgres/published-columns.ts',
    text: "columns.split('#', 1)[0]",
    was: '1',
    why: 'only the first piece is used, however many there are',
  },
  {
    file: 'explain/origins.ts',
    text: 'replaced_at: origin < 0',
    was: '<',
    why: 'the numbers of loads begin at 1, so an origin of 0 names no load, and no time is shown either way',
  },
  {
    file: 'http/observe/http-observer.ts',
    text: 'seconds = 0;',
    was: '0',
    why: 'set at the end of the response, before it is read',
  },
  {
    file: 'export/parquet/column-chunk.ts',
    text: 'if (value > max) max = value;',
    was: '>',
    why: 'an equal value leaves the maximum as it is',
  },
  {
    file: 'http/protection/long-answers.ts',
    text: 'MAX_AT_ONCE = 64',
    was: '64',
    why: 'a limit between what programs use and what memory allows; its neighbour is as good',
  },
  {
    file: 'snapshot/indexes/search-index.ts',
    text: 'i < end + KEY_BYTES - 1',
    was: '1',
    why: 'a row ends with a separator, and no key begins with one',
  },
  {
    file: 'query/expression/operations.ts',
    text: "'+': { operands: 2",
    was: '2',
    why: 'only functions are asked for the number of their operands',
  },
  {
    file: 'store/postgres/hosts.ts',
    text: 'LOOK_AGAIN_MILLIS = 1_000',
    was: '1_000',
    why: 'a pause, whose exact length matters to nothing',
  },
  {
    file: 'render/row-record.ts',
    text: 'if (this.size + size <= this.segment.bytes.length) return;',
    was: '<=',
    why: 'a segment that grows before it is full holds the same bytes',
  },
  {
    file: 'snapshot/columns/sort-numbers.ts',
    text: 'for (let i = from + 1; i < to; i++)',
    was: '+',
    why: 'an item that has none before it stays where it is',
  },
  {
    file: 'snapshot/columns/text-numbers.ts',
    text: 'if (byte > 127) return hashOfKey',
    was: '127',
    why: 'every letter beyond ASCII begins with a byte above 128',
  },
  {
    file: 'snapshot/build/published-rows.ts',
    text: 'if (listed !== this.#listed) this.#settleSlots(listed);',
    was: '!==',
    why: 'numbers that are not handed over to the listing stay here, and are read here: more memory, the same values',
  },
  {
    file: 'store/postgres/copy.ts',
    text: 'PIECE = 256 * 1024',
    was: '256',
    why: 'rows are sent in pieces of any size',
  },
  {
    file: 'render/arrow/flat-builder.ts',
    text: 'this.#scalar(4, 0);',
    was: '0',
    why: 'room for the distance, which is written over it',
  },
  {
    file: 'snapshot/indexes/search-index.ts',
    text: 'if (byte > 127) return false;',
    was: '>',
    why: 'the character 127 stays as it is in both ways of folding',
  },
  {
    file: 'indicators/arithmetic/return-window.ts',
    text: 'LARGEST_MEAN_TO_DEVIATION_SQUARED = 100 ** 2',
    was: '2',
    why: 'a margin: the promised 1e-12 still holds at ten times the ratio',
  },
  {
    file: 'render/number-text.ts',
    text: 'SPLITTER = 2 ** 27 + 1',
    was: '27',
    why: 'halves of 25 and 27 bits: what their product loses is far below `DOUBTFUL`, where `String` decides',
  },
  {
    file: 'query/statistics/facets.ts',
    text: '(a < b ? -1 : 1)',
    was: '1',
    why: 'only the sign of a comparison counts',
  },
  {
    file: 'snapshot/build/asset-book.ts',
    text: 'tickers = 0;',
    was: '0',
    why: 'set with the first assets; a ticker that no asset has is listed nowhere',
  },
  {
    file: 'common/time-slices.ts',
    text: 'performance.now() < ends',
    was: '<',
    why: 'two readings of the clock that are exactly equal decide nothing',
  },
  {
    file: 'render/number-text.ts',
    text: '(words[1]! & 0xf_ffff) === 0) return DOUBT',
    was: '&&',
    why: 'in doubt `String` writes the same text',
  },
  {
    file: 'render/row-record.ts',
    text: 'new ArrayBuffer(4 * Math.ceil(size / 4))',
    was: '/',
    why: 'more memory than needed holds the same bytes',
  },
  {
    file: 'export/parquet/parquet-writer.ts',
    text: '5: i64(start)',
    was: '5',
    why: 'the place of a row group is optional, and readers use those of its columns',
  },
  {
    file: 'api/listing/links.ts',
    text: 'both.length > MAX_LINK_LENGTH',
    was: '>',
    why: 'a limit with room beside it; its neighbour is as good',
  },
  {
    file: 'snapshot/indexes/orders.ts',
    text: 'for (let i = 0; i < kept.length; i++) kept[i]',
    was: '<',
    why: 'a typed array ignores a value beyond its end',
  },
  {
    file: 'http/wire/encoding.ts',
    text: 'WINDOW_BITS = 17',
    was: '17',
    why: 'a larger window takes more memory and decompresses to the same text',
  },
  {
    file: 'query/execute/execute.ts',
    text: 'this.#to * (to - from) > steps',
    was: '*',
    why: 'chooses between two ways to the same rows',
  },
  {
    file: 'render/number-text.ts',
    text: '(1n << BigInt(scale)) / 10n',
    was: '/',
    why: 'every large number is then in doubt, and `String` writes the same text',
  },
  {
    file: 'store/sqlite/group-rows.ts',
    text: 'sum + VALUES + row.values.length, 0)',
    was: '0',
    why: 'makes an empty record behind the last one, which adds no bytes',
  },
  {
    file: 'indicators/kernels/macd.ts',
    text: 'low = 0;',
    was: '0',
    why: 'set or loaded before the first step',
  },
  {
    file: 'query/statistics/summary-table.ts',
    text: 'sort: 0,',
    was: '0',
    why: 'a summary is returned in the order in which it was made',
  },
  {
    file: 'render/number-text.ts',
    text: '(10n ** BigInt(power)) << BigInt(scale)',
    was: '<<',
    why: 'every number is then in doubt, and `String` writes the same text',
  },
  {
    file: 'api/listing/plan-cache.ts',
    text: 'PLAN_BYTES = 2000',
    was: '2000',
    why: 'an estimate',
  },
  {
    file: 'http/wire/headers.ts',
    text: 'hidden: true,',
    was: 'true',
    why: 'does not compile: the field is true or absent',
  },
  {
    file: 'store/backup/write.ts',
    text: 'const code = error instanceof Error && ',
    was: '&&',
    why: 'what is caught there is an error, and one without a code has none to read',
  },
  {
    file: 'indicators/engine.ts',
    text: 'only?.length ?? batch.starts.length - 1',
    was: '-',
    why: 'behind the last asset a series has no end, and no kernel writes a row of it, also in a larger table',
  },
  {
    file: 'render/number-text.ts',
    text: 'out[end++] = exponent < 0 ? MINUS : PLUS;',
    was: '<',
    why: 'an exponent of 0 is not written',
  },
  {
    file: 'http/event-stream.ts',
    text: 'response.shouldKeepAlive = false;',
    was: 'false',
    why: 'the length is unknown and the body not chunked, so that `setHead` closes the connection too',
  },
  {
    file: 'export/parquet/parquet-writer.ts',
    text: '6: i64(this.#position - start)',
    was: '6',
    why: 'the size of a row group is optional, and readers use those of its columns',
  },
  {
    file: 'access/shared-limits.ts',
    text: 'Atomics.load(this.#words, at + FULL)',
    was: '+',
    why: '`FULL` is 0',
  },
  {
    file: 'snapshot/columns/shared-memory.ts',
    text: 'i < numbers.length; i++) numbers[i] = i;',
    was: '<',
    why: 'a typed array ignores a value beyond its end',
  },
  {
    file: 'store/postgres/node-shares.ts',
    text: 'KNOWN_ASSETS = 100_000',
    was: '100_000',
    why: 'the size of a cache; its neighbour is as good',
  },
  {
    file: 'snapshot/columns/shared-memory.ts',
    text: 'COUNTED_SHARE = 1 / 4',
    was: '4',
    why: 'a share of memory that decides when it is freed, not what is served',
  },
  {
    file: 'query/execute/first-rows.ts',
    text: 'better |= +(array[i]! < limit)',
    was: '<',
    why: 'lets rows through that are then compared one by one',
  },
  {
    file: 'http/authentication/by-api-key.ts',
    text: 'const day = dayOfMillis(now) ?? 0;',
    was: '0',
    why: 'the clock shows a day of the calendar',
  },
  {
    file: 'export/file-sink.ts',
    text: 'this.#pending >= PIECE_BYTES',
    was: '>=',
    why: 'bytes are written in pieces of any size',
  },
  {
    file: 'alerts/post.ts',
    text: 'MAX_RESPONSE_BYTES = 64 * 1024',
    was: '64',
    why: 'a limit with room beside it; its neighbour is as good',
  },
  {
    file: 'indicators/own/values.ts',
    text: '#offsetLow = 0;',
    was: '0',
    why: 'set by `#variance` before it is read',
  },
  {
    file: 'publish/columns.ts',
    text: "split('#', 1).join().split(',')",
    was: '1',
    why: 'the hash behind the names is not the name of a column',
  },
  {
    file: 'store/sqlite/pending.ts',
    text: 'const after = combine(before, bits) >>> 0;',
    was: '>>>',
    why: 'the bits are the same with a sign, and they are read as bits',
  },
  {
    file: 'api/compat/coingecko/charts.ts',
    text: "return days <= 90 ? ['1h', '1d'] : ['1d'];",
    was: '<=',
    why: 'differs only at 90 days and the five minutes of `SLACK_MS`, to the millisecond',
  },
  {
    file: 'store/bars/fold.ts',
    text: 'const ratio = COARSER[interval]?.ratio ?? 1;',
    was: '1',
    why: 'the days of a block are even, so that steps of two lead to the same multiple',
  },
  {
    file: 'store/sqlite/bars.ts',
    text: '?? { assetNumber, start: 0, end: 0 }',
    was: '0',
    why: 'the mutant of `start`: a span that ends before it begins is empty too',
  },
  {
    file: 'export/parquet/column-chunk.ts',
    text: 'at = Math.max(at, end & ~7)',
    was: '&',
    why: 'the mutant of `end & ~7`: bits that are set already are set once more',
  },
];

// `explain/{id}/{column}`: how one number was computed.

import { columnHint } from '../../common/column-hint.ts';
import { SharedWork } from '../../common/shared-work.ts';
import { type AtTurn, mapInSteps, type RunSteps, type Steps } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { usesBenchmark } from '../../domain/columns.ts';
import { isoFromDay } from '../../domain/day.ts';
import {
  baseOf,
  isoOfPeriod,
  LISTED_INTERVALS,
  type ListedInterval,
  type Period,
  type WrittenTime,
} from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { ApiError, quoted } from '../../errors.ts';
import {
  EXPLAINED_COLUMNS,
  EXPLAINED_NAMES,
  type ExplainedColumn,
  explainedColumn,
  explainInSteps,
  INPUT_NUMBERS,
} from '../../explain/explain.ts';
import { type AssetFigures, currentFigures, figuresOn } from '../../explain/fact-definitions.ts';
import { readTraced, trace } from '../../explain/origins.ts';
import { reviewsBehind } from '../../explain/reviews-behind.ts';
import { BenchmarkSeries } from '../../history/benchmark-series.ts';
import { factsInQuote, isFactColumn } from '../../history/fact-history.ts';
import type { ApiRequest } from '../../http/wire/answer.ts';
import { listedAsset, requireInterval, requireQuote, requireReached } from '../../query/execute/find-named.ts';
import { columnOf, type IndexedAsset, type Snapshot } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import { publishedOf, type ServiceContext } from '../context.ts';
import { endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { exactly, type JsonObject, listOf, nullable, pathParameter, ref } from '../json-schema.ts';
import { requireBarsOfQuote } from '../listing/source.ts';
import {
  asOfPeriod,
  intervalParameter,
  queryParameters,
  quoteParameter,
  timeParameter,
  type WantedQuote,
} from '../parameters.ts';
import { RECORD_ERRORS, record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export const explain = endpoint({
  id: 'explain',
  path: '/v1/{group}/explain/{id}/{column}',
  tag: 'Listings',
  summary: 'How one number was computed',
  description:
    'The inputs of a value, what is computed on the way, and the exact result to 40 digits beside the served value. ' +
    'A ticker that several assets have stands for the one in the listing.',
  pathParameters: [
    ref('parameters', 'AssetId'),
    pathParameter('column', 'Column of `ta-cur`, also an optional one.', {
      type: 'string',
      enum: EXPLAINED_COLUMNS.map(({ name }) => name),
    }),
  ],
  parameters: queryParameters<{ interval: ListedInterval; quote: WantedQuote; as_of: WrittenTime }>({
    interval: intervalParameter(),
    quote: quoteParameter(),
    as_of: timeParameter(
      'The day of the value, today at the latest, or a time in its period. Without it, the period of the latest close.',
    ),
  }),
  errors: [...RECORD_ERRORS, 'unknown_column', 'unknown_interval', 'unknown_quote', 'no_close'],
  response: record('The explanation.', 'Explanation'),
  schemas: { Explanation: schema() },
  handle: context => {
    const explained = explanations(context);
    return async (request, { interval: wanted, quote: named, as_of: time }) => {
      const interval = wanted ?? '1d';
      const { rest } = request;
      const slash = rest.lastIndexOf('/');
      const column = requireColumn(rest.slice(slash + 1));
      requireInterval(context.intervals(), interval, LISTED_INTERVALS);
      const asOf = time && asOfPeriod(interval, time);
      if (asOf !== null) requireReached(asOf, context.now(), interval);
      const snapshot = requireSnapshot(context);
      const asset = listedAsset(snapshot.assetIndex, rest.slice(0, slash));
      const quote = requireQuote(snapshot, named?.name ?? null);
      if (quote !== null) await requireBarsOfQuote(context, quote, interval, snapshot.version);
      const { body, version } = await explained(asset, column, { interval, quote, asOf }, request);
      return jsonRecord(context, request, body, version);
    };
  },
});

/** The body of a response, and the publication that it is of. */
interface Explained {
  readonly body: Buffer;
  readonly version: number;
}

interface Moment {
  readonly interval: ListedInterval;
  /** Null: dollars. */
  readonly quote: QuoteAsset | null;
  /** Null: the period of the latest close. */
  readonly asOf: Period | null;
}

type Explain = (
  asset: IndexedAsset,
  column: ExplainedColumn,
  moment: Moment,
  request: Pick<ApiRequest, 'run' | 'slot'>,
) => Promise<Explained>;

function explanations(context: ServiceContext): Explain {
  const histories = publishedOf(context);
  const benchmarks = new BenchmarkSeries(histories);
  const kept = new VersionedCache<Explained>(CACHE_SHARES.explanations * context.cacheBytes);
  const computing = new SharedWork<Explained>();

  async function explained(
    asset: IndexedAsset,
    column: ExplainedColumn,
    moment: Moment,
    snapshot: Snapshot,
    run: RunSteps,
    atTurn: AtTurn,
  ) {
    const { interval, quote, asOf } = moment;
    const converted = histories.inQuote(quote?.assetNumber ?? null);
    const { span } = await histories.span(asset, interval, snapshot.version);
    if (span === null) throw noClose(asset, moment);
    const wanted = [asset.assetNumber, span.first, span.last, snapshot.version] as const;
    const { publishedBars, publishedOrigins } = converted.series(baseOf(interval));
    const published = { bars: publishedBars, origins: publishedOrigins };
    const { version, bars, origins } = await readTraced(published, [...wanted], atTurn, interval);
    const benchmark = usesBenchmark(column)
      ? await benchmarks.of(version, snapshot, interval, quote?.assetNumber)
      : null;
    const records = isFactColumn(column.name)
      ? factsInQuote(await context.facts(asset.assetNumber), quote?.assetNumber ?? null)
      : [];
    const current = asOf === null ? figuresOf(snapshot, asset) : null;
    const facts = (period: number) => {
      if (asOf !== null) return figuresOn(records, interval, period);
      return current && currentFigures(current, records);
    };
    const options = { facts, benchmark: benchmark?.series ?? null, interval, quote: quote?.symbol ?? null };
    const newest = bars.day.at(-1) as Period | undefined; // a period of the store
    const until = asOf ?? newest;
    const found = until === undefined ? null : await run(explainInSteps(column, bars, until, options));
    if (found === null) throw noClose(asset, moment);
    // Those of the sources are in dollars.
    const withSources = quote === null;
    const reviews = await context.sourced(store => reviewsBehind(store, asset.assetNumber, interval, withSources));
    const traced = await trace(found, bars, origins, context.loads, run, reviews);
    const body = await run(bodyOf({ id: asset.id, symbol: asset.symbol, ...traced }));
    return { body, version };
  }

  /** Computed once for all requests at the same time, and kept if it is of the snapshot that is served. */
  return async (asset, column, moment, { run, slot }) => {
    const snapshot = requireSnapshot(context);
    const known = kept.of(snapshot.fingerprint);
    const name = `${asset.assetNumber} ${column.name} ${moment.interval} ${moment.quote?.assetNumber} ${moment.asOf}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const result = await computing.get(`${snapshot.fingerprint} ${name}`, () =>
      slot(atTurn => explained(asset, column, moment, snapshot, run, atTurn)),
    );
    if (result.version === snapshot.version) known.set(name, result, result.body.length);
    return result;
  };
}

/** Written in one step. */
const STEP_INPUTS = 256;

/** There can be thousands of inputs. */
function* bodyOf<T extends { readonly inputs: readonly object[] }>(explanation: T): Steps<Buffer> {
  const inputs = yield* mapInSteps(explanation.inputs, input => JSON.stringify(input), STEP_INPUTS);
  const empty = '"inputs":[]';
  const [before, after] = JSON.stringify({ ...explanation, inputs: [] }).split(empty);
  return Buffer.from(`${before}${empty.slice(0, -1)}${inputs.join()}]${after}`);
}

/** As the listing shows them; an asset that is not listed has none. */
function figuresOf({ tables, listed }: Snapshot, { assetNumber, symbol }: IndexedAsset): AssetFigures | null {
  const listing = tables['ta-cur'];
  const row = listing.symbols.rowsOf([tickerKey(symbol)]).find(each => listed.assetNumbers[each] === assetNumber);
  if (row === undefined) return null;
  const figure = (name: string) => {
    const value = columnOf(listing, name, 'number').values[row]!;
    return Number.isNaN(value) ? null : value;
  };
  return { rank: figure('rank'), supply: figure('supply') };
}

function requireColumn(name: string): ExplainedColumn {
  const column = explainedColumn(name);
  if (column !== null) return column;
  throw new ApiError('unknown_column', `Unknown column ${quoted(name)} in ta-cur that can be explained.`, {
    param: 'column',
    ...columnHint(name, EXPLAINED_NAMES),
  });
}

function noClose({ id, firstDay }: IndexedAsset, { interval, quote, asOf }: Moment): ApiError {
  const preposition = interval === '1d' ? 'on' : 'in';
  const until = asOf === null ? '' : ` ${preposition} ${isoOfPeriod(interval, asOf)} or before it`;
  const first = firstDay === null ? '' : `Its first close is of ${isoFromDay(firstDay)}.`;
  const unit = quote === null ? '' : ` in ${quote.symbol}`;
  const ofQuote =
    quote === null || quote.firstDay === null ? '' : ` That of ${quote.id} is of ${isoFromDay(quote.firstDay)}.`;
  return new ApiError('no_close', `${id} has no close${unit}${until}.`, first === '' ? {} : { hint: first + ofQuote });
}

function schema(): JsonObject {
  const text = { type: 'string' };
  const day = { type: 'string', format: 'date' };
  const at = { ...text, description: 'Start of the period, if the interval is not a day: `day` is then its UTC day.' };
  const decimal = { type: 'string', pattern: '^-?\\d+(?:\\.\\d+)?$' };
  const input = exactly(
    {
      name: { ...text, description: '`C0` is the close of the day of the value, `C1` that of the day before.' },
      day,
      at,
      close: { type: 'number' },
      carried_forward: {
        type: 'boolean',
        description: 'No source delivered a close for the day: it has the one before it.',
      },
      numbers: {
        type: 'object',
        description: 'Other numbers of the day that the value is computed from; null is an unknown one.',
        properties: Object.fromEntries(
          INPUT_NUMBERS.map(name => [
            name,
            nullable('number', name === 'benchmark' ? 'Close of the benchmark asset.' : 'Of the bar.'),
          ]),
        ),
        additionalProperties: false,
      },
      influence: nullable(
        'number',
        'By how much the value would change if the day had the numbers of the day before or of the day after, the smaller of both: a wrong price stands out. Of more than 30 inputs it is computed for the latest 10, and for the 20 of the last 400 days that differ most from the days beside them; null for the others, and without a value.',
      ),
      delivered_day: {
        ...day,
        description: 'The day that the close belongs to: an earlier one if it was carried forward.',
      },
      delivered_at: { ...text, description: 'Start of its period, if that is not a day.' },
      load: nullable('integer', 'Number of the load that delivered the close; null if it is unknown.'),
      source: nullable(
        'string',
        'The source of that load; null if the load is unknown, or if the store no longer has a record of it.',
      ),
      loaded_at: nullable('string', 'When that load began, ISO 8601; null where the source is.'),
      replaced_at: nullable(
        'string',
        'When the close replaced another one of the same day; null if it is the first one.',
      ),
      sources: listOf(
        exactly({
          source: text,
          close: nullable('number', 'What it said; null for a correction that removes the period.'),
          weight: { type: 'number', description: 'Of its close in the served one; the weights of a day add up to 1.' },
          decided: {
            type: 'boolean',
            description: 'Whether the served close is its close, or the mean of its close and another.',
          },
        }),
        'Of an asset with several sources or corrections: what each of them said, in the order of the price rule.',
      ),
      actions: listOf(
        exactly({
          action: { type: 'integer', description: 'Its number, as `tidemark actions` shows it.' },
          day: { ...day, description: 'The first day in new units.' },
          ratio: { type: 'number', description: 'Old units per new one: the close is multiplied by it.' },
          from_id: nullable('string', 'The asset that became this one; null for a redenomination.'),
          reason: text,
        }),
        'The redenominations and migrations that adjusted the close, the newest first; missing if there are none.',
      ),
      correction: {
        ...exactly({
          correction: { type: 'integer', description: 'Its number, as `tidemark corrections` shows it.' },
          close: nullable('number', 'As it was entered; null if it removes the period.'),
          reason: text,
          created_at: { ...text, description: 'When it was entered, ISO 8601.' },
        }),
        description: 'The correction of the period; missing if there is none.',
      },
    },
    ['at', 'delivered_at', 'sources', 'actions', 'correction'],
  );
  return exactly(
    {
      id: text,
      symbol: text,
      column: text,
      day: { ...day, description: 'The day of C0.' },
      at,
      interval: { ...text, enum: [...LISTED_INTERVALS], description: 'If it is not a day.' },
      quote: { ...text, description: 'Ticker of the quote, if it is not USD: all prices are divided by its closes.' },
      value: { type: ['number', 'string', 'null'], description: 'As the listing has it.' },
      unit: nullable('string', 'Unit of the value; null where there is none.'),
      formula: text,
      window: nullable('integer', 'Length of the window in days; null for a price, and for the whole history.'),
      history: { type: 'integer', minimum: 1, description: 'Days from the first close to that day, both included.' },
      fact: exactly({
        known_since: {
          ...day,
          description: 'The UTC day on which the fact became known; it holds until the next one.',
        },
        load: { type: 'integer', description: 'Number of the load that recorded it.' },
        source: nullable('string', 'The source of that load; null if the store no longer has a record of it.'),
        loaded_at: nullable('string', 'When that load began, ISO 8601; null where the source is.'),
      }),
      inputs: listOf(input, 'The days that the value is computed from, the latest first.'),
      steps: listOf(exactly({ name: text, value: decimal }), 'What is computed on the way, to 40 significant digits.'),
      exact: { anyOf: [decimal, { type: 'null' }], description: 'The exact result, rounded to 40 significant digits.' },
      relative_error: nullable('number', 'Of the value against the exact result.'),
    },
    ['at', 'interval', 'quote', 'fact'],
  );
}

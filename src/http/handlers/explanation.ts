// The handler of `explain/{asset}/{column}`: how one number was computed.

import { ByteCache } from '../../common/byte-cache.ts';
import { columnHint } from '../../common/column-hint.ts';
import { SharedWork } from '../../common/shared-work.ts';
import { type AtTurn, mapInSteps, type RunSteps, type Steps } from '../../common/steps.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { usesBenchmark } from '../../domain/columns.ts';
import { type Day, dayOfMillis, isoFromDay, LAST_DAY, lastDayFromIso } from '../../domain/day.ts';
import { ApiError, clipped, quoted } from '../../errors.ts';
import { EXPLAINED_NAMES, type ExplainedColumn, explainedColumn, explainInSteps } from '../../explain/explain.ts';
import type { AssetFigures } from '../../explain/fact-definitions.ts';
import { readTraced, trace } from '../../explain/origins.ts';
import { BenchmarkSeries } from '../../history/benchmark-series.ts';
import { listedAsset } from '../../query/execute/find-asset.ts';
import { absentParameter } from '../../query/parameters.ts';
import { splitQuery } from '../../query/parse/split-query.ts';
import type { IndexedAsset } from '../../snapshot/asset-index.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import type { ApiRequest, Handler } from '../wire/answer.ts';
import { CACHE_SHARES } from './cache-shares.ts';
import { jsonRecord } from './json-record.ts';
import { requireSnapshot } from './readiness.ts';

/** The body of a response, and the publication that it is of. */
interface Explained {
  readonly body: Buffer;
  readonly version: number;
}

export function explanationHandler(context: ServiceContext): Handler {
  const benchmarks = new BenchmarkSeries(context.closes);
  const kept = new ByteCache<Explained>(CACHE_SHARES.explanations * context.cacheBytes);
  const computing = new SharedWork<Explained>();

  async function explained(
    asset: IndexedAsset,
    column: ExplainedColumn,
    asOf: Day | null,
    snapshot: Snapshot,
    run: RunSteps,
    atTurn: AtTurn,
  ) {
    const { firstDay, lastDay } = asset;
    if (firstDay === null || lastDay === null) throw noClose(asset, asOf);
    const wanted = [asset.assetNumber, firstDay, lastDay, snapshot.version] as const;
    const { version, bars, origins } = await readTraced(context, [...wanted], atTurn);
    const benchmark = usesBenchmark(column) ? await benchmarks.of(version, snapshot) : null;
    const facts = asOf === null ? figuresOf(snapshot, asset) : null;
    const found = await run(
      explainInSteps(column, bars, asOf ?? lastDay, { facts, benchmark: benchmark?.series ?? null }),
    );
    if (found === null) throw noClose(asset, asOf);
    const traced = await trace(found, bars, origins, context.loads, run);
    const body = await run(bodyOf({ id: asset.id, symbol: asset.symbol, ...traced }));
    return { body, version };
  }

  /** Computed once for all requests at the same time, and kept if it is of the snapshot that is served. */
  async function shared(
    asset: IndexedAsset,
    column: ExplainedColumn,
    asOf: Day | null,
    { run, slot }: Pick<ApiRequest, 'run' | 'slot'>,
  ): Promise<Explained> {
    const snapshot = requireSnapshot(context);
    const name = `${snapshot.fingerprint} ${asset.assetNumber} ${column.name} ${asOf}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const result = await computing.get(name, () =>
      slot(atTurn => explained(asset, column, asOf, snapshot, run, atTurn)),
    );
    if (result.version === snapshot.version) kept.set(name, result, result.body.length);
    return result;
  }

  return async request => {
    const { query, rest } = request;
    const slash = rest.lastIndexOf('/');
    const column = requireColumn(rest.slice(slash + 1));
    const asOf = parseAsOf(query, context.now());
    const asset = listedAsset(requireSnapshot(context).assetIndex, rest.slice(0, slash));
    const { body, version } = await shared(asset, column, asOf, request);
    return jsonRecord(context, request, body, version);
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
  const { symbols, dataset, columns } = tables['ta-cur'];
  const row = symbols.rowsOf([tickerKey(symbol)]).find(each => listed.assetNumbers[each] === assetNumber);
  if (row === undefined) return null;
  const figure = (name: string) => {
    const column = columns[dataset.columns.findIndex(each => each.name === name)];
    const value = column?.kind === 'number' ? column.values[row]! : Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  return { rank: figure('rank'), supply: figure('supply') };
}

function requireColumn(name: string): ExplainedColumn {
  const column = explainedColumn(name);
  if (column !== null) return column;
  throw new ApiError('unknown_column', `There is no column ${quoted(name)} in ta-cur that can be explained.`, {
    param: 'column',
    ...columnHint(name, EXPLAINED_NAMES),
  });
}

function parseAsOf(query: string, now: number): Day | null {
  let asOf: Day | null = null;
  for (const { name, value } of splitQuery(query)) {
    if (name === 'api_key') continue;
    if (name !== 'as_of') {
      throw new ApiError('unknown_parameter', `There is no parameter ${quoted(name)} here.`, {
        param: clipped(name),
        hint: absentParameter(name) ?? 'An explanation takes as_of, a day such as 2026-01-31.',
      });
    }
    const day = lastDayFromIso(value ?? '');
    if (asOf !== null || day === null || day > (dayOfMillis(now) ?? LAST_DAY)) {
      throw new ApiError('invalid_value', `as_of cannot be ${quoted(value ?? '')}.`, {
        param: 'as_of',
        hint: 'as_of takes one day such as 2026-01-31, today at the latest.',
      });
    }
    asOf = day;
  }
  return asOf;
}

function noClose({ id, firstDay }: IndexedAsset, asOf: Day | null): ApiError {
  const until = asOf === null ? '' : ` on ${isoFromDay(asOf)} or before it`;
  return new ApiError('no_close', `${id} has no close${until}.`, {
    ...(firstDay === null ? {} : { hint: `Its first close is of ${isoFromDay(firstDay)}.` }),
  });
}

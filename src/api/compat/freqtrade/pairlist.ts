// `freqtrade/pairlist`: what freqtrade's RemotePairList reads. The pairs are the assets that a query of the listing selects, in its order,
// with the stake currency behind them.
//
// Errors are problems, as elsewhere: freqtrade keeps its list unless the media type is application/json.

import { TA_CUR } from '../../../domain/datasets.ts';
import { ApiError } from '../../../errors.ts';
import { headerLines } from '../../../http/wire/head.ts';
import { executeInSteps } from '../../../query/execute/execute.ts';
import { planOf } from '../../../query/parse/parse-plan.ts';
import type { Plan } from '../../../query/parse/plan.ts';
import { type Pair, splitPairs } from '../../../query/parse/split-query.ts';
import { textAt } from '../../../snapshot/columns/texts.ts';
import { columnOf, type Table } from '../../../snapshot/table.ts';
import type { ServiceContext } from '../../context.ts';
import { endpoint } from '../../endpoint.ts';
import { exactly, type JsonObject, listOf } from '../../json-schema.ts';
import { PARSE_ERRORS } from '../../listing/endpoint.ts';
import { plannedSource, type Source } from '../../listing/source.ts';
import { FILTER_SCHEMAS, listingParameters } from '../../openapi/listing-parameters.ts';
import { invalidValue } from '../../parameters.ts';
import { conditional, json, OF_DATA } from '../../responses.ts';
import { requireSnapshot } from '../../served-snapshot.ts';
import { answerLists, listPieces, type Pieces } from '../answers.ts';

const STAKE = {
  default: 'USDT',
  takes: 'a currency such as USDT, or USDT:USDT for futures',
  pattern: /^[A-Za-z0-9]{1,20}(?::[A-Za-z0-9]{1,20})?$/,
  doc: 'The stake currency. `USDT` makes pairs such as `BTC/USDT`, and `USDT:USDT` the pairs of futures, `BTC/USDT:USDT`.',
};
/** What shapes rows, which a pair list does not have. */
const OF_ROWS = ['incl_cols', 'excl_cols', 'format', 'meta'];
/** freqtrade reads a pair as a regular expression: any other ticker would match other pairs, or end the whole list with an error. */
const TICKER = /^[\p{L}\p{N}._-]+$/u;
/** freqtrade asks at most so often, whatever its configuration says. */
const REFRESH_SECONDS = 60;

const QUERIED = { ...TA_CUR, isStreamed: false };

interface PairListPlan {
  readonly query: Plan;
  readonly stake: string;
}

export const pairList = endpoint({
  id: 'freqtradePairList',
  path: '/v1/{group}/freqtrade/pairlist',
  tag: 'freqtrade',
  summary: "A pair list for freqtrade's RemotePairList",
  description:
    'One pair per asset that the query selects, with the filters, the sort and the pages of `ta-cur`. The stake currency itself, and tickers with ' +
    'characters other than letters, digits, `.`, `_` and `-`, are left out.',
  parameters: { described: describedParameters(), errors: PARSE_ERRORS, parser: () => parse },
  errors: ['columns_pending'],
  response: conditional('The pairs.', json(schema()), [...OF_DATA, 'X-Limit-Applied']),
  schemas: FILTER_SCHEMAS,
  examples: {
    pairs: [
      'The five assets with the highest turnover that are above their 200-day average',
      '?where=price%20%3E%20sma200&sort=turnover30&limit=5&stake=USDT',
    ],
  },
  handle:
    context =>
    async (request, { query, stake }) => {
      const {
        table,
        fingerprint,
        version,
        plan = query,
      } = await tableOf(plannedSource(context, query, TA_CUR.name, null, request));
      const { tier } = request;
      const limit = Math.min(query.limit ?? tier.defaultRows, tier.maxRows);
      // The rows may be those of a past day, which are cached with the current ones.
      const current = { ...requireSnapshot(context), version };
      const name = ['freqtrade/pairlist', fingerprint, query.canonical, query.page, limit, stake];
      const make = async () => {
        const { rows } = await request.run(executeInSteps(plan, table, limit));
        return { entries: rows.length, pieces: () => pairPieces(context, table, rows, stake) };
      };
      return answerLists(context, request, current, name, make, headerLines('x-limit-applied', limit));
    },
});

function parse(text: string): PairListPlan {
  const pairs = splitPairs(QUERIED, text);
  const misplaced = pairs.find(({ name }) => OF_ROWS.includes(name));
  if (misplaced !== undefined) {
    throw new ApiError('unknown_parameter', `Unknown parameter ${misplaced.name}.`, {
      param: misplaced.name,
      hint: `Leave out ${misplaced.name}: a pair list has one form, and no columns.`,
    });
  }
  const isStake = ({ name }: Pair) => name === 'stake';
  const [given, second] = pairs.filter(isStake);
  if (second !== undefined) {
    throw new ApiError('duplicate_parameter', 'stake is given more than once.', {
      param: 'stake',
      hint: `stake takes ${STAKE.takes}, once.`,
    });
  }
  const stake = given === undefined ? STAKE.default : (given.value ?? '');
  if (!STAKE.pattern.test(stake)) throw invalidValue('stake', stake, STAKE.takes);
  return {
    query: planOf(
      QUERIED,
      pairs.filter(pair => !isStake(pair)),
    ),
    stake: stake.toUpperCase(),
  };
}

async function tableOf(source: Source): Promise<Source & { table: Table }> {
  const found = typeof source.table === 'function' ? await source.table() : source;
  if (typeof found.table === 'function') throw new Error('the rows of a listing are not there');
  return { ...found, table: found.table };
}

function* pairPieces(context: ServiceContext, table: Table, rows: Uint32Array, stake: string): Pieces {
  const tickers = columnOf(table, 'symbol', 'text');
  const [currency] = stake.split(':');
  yield '{"pairs":';
  yield* listPieces(0, rows.length, i => {
    const ticker = textAt(tickers, rows[i]!) ?? '';
    return !TICKER.test(ticker) || ticker.toUpperCase() === currency ? null : JSON.stringify(`${ticker}/${stake}`);
  });
  yield `,"refresh_period":${Math.max(REFRESH_SECONDS, context.maxAgeSeconds)}}`;
}

function describedParameters(): JsonObject[] {
  const { doc, takes, pattern } = STAKE;
  const stake = {
    name: 'stake',
    in: 'query',
    description: `${doc} Takes ${takes}.`,
    schema: { type: 'string', pattern: pattern.source, default: STAKE.default },
  };
  return [stake, ...listingParameters(QUERIED).filter(({ name }) => !OF_ROWS.includes(String(name)))];
}

function schema(): JsonObject {
  return exactly({
    pairs: listOf({ type: 'string', examples: ['BTC/USDT'] }, 'Pairs in the order of the query.'),
    refresh_period: { type: 'integer', description: 'Seconds after which freqtrade asks again, at the earliest.' },
  });
}

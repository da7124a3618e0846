// `history`: the bars of one asset between two times, as lists of one number each.
//
// UDF has no null for a price. A bar whose open, high or low is unknown gets its close there, as charts do if these lists are left out.

import { partitionPoint } from '../../../common/partition-point.ts';
import { MILLIS_PER_DAY } from '../../../domain/day.ts';
import { ApiError } from '../../../errors.ts';
import { exactly } from '../../json-schema.ts';
import { type ParameterFacts, queryParameters } from '../../parameters.ts';
import { answerLists, listPieces, type Pieces } from '../answers.ts';
import { type AssetBars, firstDayFor, readBars, requireServed } from '../bars.ts';
import { countParameter } from '../parameters.ts';
import { NUMBER, TEXT } from '../schemas.ts';
import { assetOf, CURRENCY, RESOLUTIONS, SYMBOL, udfEndpoint } from './endpoint.ts';

const MOST_BARS = 100_000;
const BARS_PER_PIECE = 500;
const NAMES = [...RESOLUTIONS.keys()];

const RESOLUTION: ParameterFacts<string> = {
  doc: `Length of a bar: ${NAMES.join(', ')}, as far as the store has such bars.`,
  takes: `one of ${NAMES.join(', ')}`,
  schema: { type: 'string', examples: NAMES },
  required: true,
  // `D` is `1D`.
  parse: text => NAMES.find(name => name === text.toUpperCase().replace(/^(?=[DWM]$)/, '1')) ?? null,
};

function timeParameter(doc: string, required?: true): ParameterFacts<number> {
  return {
    doc,
    takes: 'a time in seconds since 1970',
    schema: { type: 'integer' },
    ...(required ? { required } : {}),
    // Charts ask for times before 1970 when a person scrolls there.
    parse: text => (/^-?\d{1,12}(?:\.\d+)?$/.test(text) ? Number(text) : null),
  };
}

interface Wanted {
  readonly symbol: string;
  readonly resolution: string;
  readonly from: number;
  readonly to: number;
  readonly countback: number;
  readonly currencyCode: 'usd';
}

const LIST = { type: 'array', items: { type: 'number' } };
const TIMES = { type: 'array', items: { type: 'integer' } };

export const history = udfEndpoint({
  id: 'udfHistory',
  path: 'history',
  summary: 'The bars of an asset',
  description:
    'Oldest first; a bar has the time of its start. `countback` bars before `to`, or without it those from `from` on. If there are none, `no_data`, with ' +
    'the time of the nearest earlier bar if there is one. Tiers without exports have the past 365 days.',
  parameters: queryParameters<Wanted>(
    {
      symbol: SYMBOL,
      resolution: RESOLUTION,
      from: timeParameter('The first time, included. Not required with `countback`.'),
      to: timeParameter('The last time, excluded.', true),
      countback: countParameter('Number of bars; it precedes `from`.', MOST_BARS),
      currencyCode: CURRENCY,
    },
    'ignored',
  ),
  schema: {
    anyOf: [
      exactly({
        s: { const: 'ok' },
        ...{ t: TIMES, o: LIST, h: LIST, l: LIST, c: LIST },
        v: { type: 'array', items: NUMBER },
      }),
      exactly({ s: { const: 'no_data' }, nextTime: { type: 'integer' } }, ['nextTime']),
      exactly({ s: { const: 'error' }, errmsg: TEXT }),
    ],
  },
  readsOptional: false,
  errors: ['unknown_asset', 'missing_parameter'],
  handle: (context, request, market, { symbol, resolution, from, to, countback }) => {
    const asset = assetOf(market, symbol ?? '');
    const interval = RESOLUTIONS.get(resolution ?? '') ?? '1d'; // required, and one of them
    requireServed(context, 'resolution', resolution ?? '', RESOLUTIONS);
    if (from === null && countback === null) {
      throw new ApiError('missing_parameter', 'from is missing.', { param: 'from', hint: 'Give from, or countback.' });
    }
    const earliest = firstDayFor(request, context.now());
    const name = ['udf/history', asset.id, interval, from, to, countback, earliest];
    return answerLists(context, request, market.snapshot, name, async () => {
      const bars = await readBars(context, request, asset, interval);
      const allowed = partitionPoint(0, bars.rows, row => bars.start(row) < earliest * MILLIS_PER_DAY);
      const before = (time: number) => partitionPoint(allowed, bars.rows, row => startOf(bars, row) < time);
      const end = before(to ?? 0); // required
      const first = countback === null ? Math.min(before(from ?? 0), end) : Math.max(allowed, end - countback);
      const nextTime = first > allowed ? startOf(bars, first - 1) : null;
      return { entries: end - first, pieces: () => historyPieces(bars, first, end, nextTime) };
    });
  },
});

/** In seconds since 1970. */
function startOf(bars: AssetBars, row: number): number {
  return bars.start(row) / 1000;
}

function* historyPieces(bars: AssetBars, first: number, end: number, nextTime: number | null): Pieces {
  if (first === end) {
    yield JSON.stringify({ s: 'no_data', ...(nextTime === null ? {} : { nextTime }) });
    return;
  }
  const close = (row: number) => bars.number(row, 'close') ?? 0; // every bar has one
  const open = (row: number) => bars.number(row, 'open') ?? close(row);
  const lists = {
    t: (row: number) => startOf(bars, row),
    o: open,
    h: (row: number) => bars.number(row, 'high') ?? Math.max(open(row), close(row)),
    l: (row: number) => bars.number(row, 'low') ?? Math.min(open(row), close(row)),
    c: close,
    v: (row: number) => bars.number(row, 'volume'),
  };
  yield '{"s":"ok"';
  for (const [name, valueAt] of Object.entries(lists)) {
    yield `,"${name}":`;
    yield* listPieces(first, end, row => String(valueAt(row)), BARS_PER_PIECE);
  }
  yield '}';
}

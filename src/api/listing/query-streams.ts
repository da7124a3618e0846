// The rows of a listing query as a stream (`format=sse`).

import { ByteCache } from '../../common/byte-cache.ts';
import { resultInSlices } from '../../common/run-in-slices.ts';
import { FORMAT_NAMES, FORMATS } from '../../domain/formats.ts';
import { LISTED_INTERVALS, type ListedInterval } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { ApiError } from '../../errors.ts';
import type { PastDay } from '../../history/past-snapshot.ts';
import { acceptWeights } from '../../http/wire/accept.ts';
import type { Answer, ApiRequest } from '../../http/wire/answer.ts';
import { headerLines } from '../../http/wire/head.ts';
import { requireInterval, requireQuote } from '../../query/execute/find-named.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import { type EarlierOf, QueryTopic, type RowsEvents } from '../../stream/query-topic.ts';
import type { ServiceContext } from '../context.ts';
import { streamAnswer, streamClient } from '../event-streams.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { type EarlierFor, earlierColumnsOf } from './earlier-columns.ts';
import { quoteOf, requireBarsOfQuote } from './source.ts';

/** Each client that reads slowly can hold the rows of one event in memory. */
const MAX_STREAMED_ROWS = 1000;

const ROWS_EVENTS_BYTES = 16 * 2 ** 20;

/** For whom earlier periods are computed after each publication: for all who subscribe to a query. */
const LATER: EarlierFor = { requester: { client: 'streams', isGone: () => false }, run: resultInSlices };

/** Streams the page of a plan. */
export function queryStreams(context: ServiceContext): (request: ApiRequest, plan: Plan) => Answer | Promise<Answer> {
  const rowsEvents: RowsEvents = new ByteCache(ROWS_EVENTS_BYTES);
  const earlier = earlierColumnsOf(context);
  const earlierOf =
    (plan: Plan, quote: QuoteAsset | null, whom: EarlierFor): EarlierOf =>
    async snapshot =>
      (await earlier.get(plan.lags, snapshot, newestOf(plan, quote), whom)).values;
  const listingOf = async (plan: Plan, quote: QuoteAsset | null, current: Snapshot, { requester }: ApiRequest) => {
    if (plan.interval === '1d' && quote === null) return current;
    if (quote !== null) await requireBarsOfQuote(context, quote, plan.interval, current.version);
    return context.past(current, newestOf(plan, quote), requester);
  };
  const open = async (request: ApiRequest, plan: Plan): Promise<Answer> => {
    const snapshot = requireSnapshot(context);
    const quote = requireQuote(snapshot, plan.quote);
    const { tier, run, slot } = request;
    const limit = Math.min(plan.limit ?? tier.defaultRows, tier.maxRows, MAX_STREAMED_ROWS);
    const name = [plan.canonical, plan.page, limit].join('\n');
    const create = async (): Promise<QueryTopic> => {
      const of = earlierOf(plan, quote, LATER);
      const listing = await listingOf(plan, quote, snapshot, request);
      const first = plan.lags.length === 0 ? null : await slot(() => earlierOf(plan, quote, request)(listing));
      return run(QueryTopic.create(plan, limit, listing, rowsEvents, first && { first, of }, quote?.assetNumber));
    };
    const topic = context.streams.topicOf(name) ?? (await create());
    return streamAnswer(context, snapshot.version, headerLines('x-limit-applied', limit), sink =>
      context.streams.openQuery(name, topic, streamClient(context, request), sink),
    );
  };
  return (request, plan) => {
    refuseUnstreamable(plan);
    requireInterval(context.intervals(), plan.interval, LISTED_INTERVALS);
    const snapshot = requireSnapshot(context);
    const quote = requireQuote(snapshot, plan.quote);
    const isCurrent = plan.interval === '1d' && quote === null;
    const ready = plan.usesOptional && isCurrent ? context.optional(snapshot) : null;
    // Once published, the optional columns stay.
    return ready instanceof Promise ? ready.then(() => open(request, plan)) : open(request, plan);
  };
}

/** Listings have no months. */
function newestOf({ interval, usesOptional: optional }: Plan, quote: QuoteAsset | null): PastDay {
  return { interval: interval as ListedInterval, day: null, optional, inactive: false, ...quoteOf(quote) };
}

/** Whether the client wants a stream: `format`, or else `Accept` must name it, with at least the weight of the other formats. */
export function wantsStream({ format }: Plan, accept: string | undefined): boolean {
  if (format !== null) return format === 'sse';
  if (accept === undefined || !/event-stream/i.test(accept)) return false;
  const weights = acceptWeights(accept);
  const stream = weights.get('text/event-stream') ?? 0;
  return stream > 0 && FORMAT_NAMES.every(name => stream >= (weights.get(FORMATS[name].mediaType) ?? 0));
}

function refuseUnstreamable({ asOf, inactive, columns, dataset }: Plan): void {
  if (inactive) {
    throw new ApiError('conflicting_parameters', 'A stream shows the active assets, and inactive=true adds others.', {
      param: 'inactive',
      hint: 'Remove inactive, or request the rows without format=sse.',
    });
  }
  if (asOf !== null) {
    throw new ApiError('conflicting_parameters', 'A stream shows the current rows, and as_of names a past day.', {
      param: 'as_of',
      hint: 'Remove as_of, or request the rows of that day without format=sse.',
    });
  }
  if (columns.some(column => dataset.columns[column]?.name === 'symbol')) return;
  throw new ApiError('invalid_value', 'A stream tells rows apart by symbol, and excl_cols leaves it out.', {
    param: 'excl_cols',
    hint: 'Remove symbol from excl_cols.',
  });
}

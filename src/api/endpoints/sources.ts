// `sources`: what each source has of one asset, and how often it decided the served price.

import { BASE_INTERVALS, type BaseInterval, type Period, timestampOfPeriod } from '../../domain/interval.ts';
import { ApiError } from '../../errors.ts';
import type { SourceSummary } from '../../publish/source-summary.ts';
import { chosenAsset, requireInterval } from '../../query/execute/find-named.ts';
import { PARAMETERS } from '../../query/parameters.ts';
import type { AssetChoice } from '../../query/parse/plan.ts';
import { endpoint } from '../endpoint.ts';
import { jsonRecord } from '../json-record.ts';
import { exactly, type JsonObject, listOf, nullable } from '../json-schema.ts';
import { type ParameterFacts, queryParameters } from '../parameters.ts';
import { RECORD_ERRORS, record } from '../responses.ts';
import { requireSnapshot } from '../served-snapshot.ts';

export const sources = endpoint({
  id: 'listSources',
  path: '/v1/{group}/sources',
  tag: 'Listings',
  summary: 'The sources of one asset, and which decided its price',
  description:
    'One row per source in the order of the price rule: its first and last period, its bars, the share of served periods whose close it ' +
    'decided, and how far its closes are from the served ones. Of hours and minutes, the newest 131,072 periods count. Exactly one of ' +
    '`symbol` and `id` is required.',
  parameters: queryParameters<{ symbol: string; id: string; interval: BaseInterval }>({
    symbol: assetName('Ticker of the asset. One that several assets have stands for the one in the listing.', 'ticker'),
    id: assetName('Id of the asset, such as btc-bitcoin.', 'id'),
    interval: {
      doc: 'Of which bars: those that are stored.',
      takes: `one of ${BASE_INTERVALS.join(', ')}`,
      schema: { type: 'string', enum: [...BASE_INTERVALS], default: '1d' },
      parse: text => BASE_INTERVALS.find(each => each === text.toLowerCase()) ?? null,
    },
  }),
  errors: [...RECORD_ERRORS, 'missing_parameter', 'conflicting_parameters', 'unknown_interval'],
  response: record('The sources.', 'Sources'),
  schemas: { Sources: schema() },
  examples: { one: ['The sources of one asset', '?symbol=ALDM'] },
  handle:
    context =>
    async (request, { symbol, id, interval: wanted }) => {
      const interval = wanted ?? '1d';
      requireInterval(context.intervals(), interval, BASE_INTERVALS);
      const { assetIndex, version } = requireSnapshot(context);
      const asset = chosenAsset(assetIndex, choiceOf(symbol, id));
      const { assetNumber } = asset;
      const read = await request.slot(() => context.readSources({ assetNumber, interval, adjusted: true }));
      const result = read.summaries.map(each => rowOf(each, interval));
      const { kind, order } = read.rule;
      const body = { id: asset.id, symbol: asset.symbol, interval, price_rule: kind, source_order: order, result };
      return jsonRecord(context, request, Buffer.from(JSON.stringify(body)), version);
    },
});

function assetName(doc: string, what: string): ParameterFacts<string> {
  return {
    doc,
    takes: `the ${what} of an asset`,
    schema: { type: 'string' },
    parse: text => (text.trim() === '' ? null : text.trim()),
  };
}

function choiceOf(symbol: string | null, id: string | null): AssetChoice {
  if (symbol !== null && id !== null) {
    throw new ApiError('conflicting_parameters', 'symbol and id are both given.', {
      param: 'id',
      hint: 'Name the asset by one of them.',
    });
  }
  if (id !== null) return { by: 'id', text: id };
  if (symbol !== null) return { by: 'symbol', text: symbol.toUpperCase() };
  throw new ApiError('missing_parameter', 'symbol is missing.', {
    param: 'symbol',
    hint: `symbol takes ${PARAMETERS.symbol.takes}; or name the asset by id.`,
  });
}

function rowOf(each: SourceSummary, interval: BaseInterval) {
  const { source, first, last, bars, decided, medianDistance, largestDistance } = each;
  // Periods of the store.
  const [firstAt, lastAt] = [timestampOfPeriod(interval, first as Period), timestampOfPeriod(interval, last as Period)];
  return {
    ...{ source, first: firstAt, last: lastAt, bars, decided },
    ...{ median_distance: medianDistance, largest_distance: largestDistance },
  };
}

function schema(): JsonObject {
  const text = { type: 'string' };
  const distance = (which: string) =>
    nullable('number', `${which} distance of its closes from the served ones, as a share of these.`);
  const row = exactly({
    source: { ...text, description: 'Its name; `correction` for bars that a person has corrected.' },
    first: { ...text, description: 'Start of its first period.' },
    last: { ...text, description: 'Start of its last period.' },
    bars: { type: 'integer' },
    decided: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Share of served periods whose close it decided, alone or together with another source.',
    },
    median_distance: distance('Median'),
    largest_distance: distance('Largest'),
  });
  return {
    ...exactly({
      id: text,
      symbol: text,
      interval: { ...text, enum: [...BASE_INTERVALS] },
      price_rule: {
        ...text,
        enum: ['priority', 'median'],
        description: 'How the served price is made of the sources.',
      },
      source_order: listOf(
        text,
        'Preferred sources, the first one first; others come after them, by their first load.',
      ),
      result: listOf(row, 'One row per source.'),
    }),
    description: 'The sources of one asset.',
  };
}

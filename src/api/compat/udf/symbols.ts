// `config`, `time`, `symbols` and `search`: what a chart asks before it shows anything.

import { type BaseInterval, baseOf, FINE_INTERVALS } from '../../../domain/interval.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { publishedOf, type ServiceContext } from '../../context.ts';
import { jsonRecord } from '../../json-record.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import { isServed } from '../bars.ts';
import type { Market } from '../market.ts';
import { countParameter, textParameter } from '../parameters.ts';
import { FLAG, TEXT } from '../schemas.ts';
import { bestRankedAssets, searchAssets } from '../search-assets.ts';
import { assetOf, CURRENCY, EXCHANGE, resolutions, SYMBOL, TYPE, udfEndpoint } from './endpoint.ts';

const TEXTS: JsonObject = { type: 'array', items: TEXT };

export const config = udfEndpoint({
  id: 'udfConfig',
  path: 'config',
  summary: 'What the data feed can do',
  description: 'It has search instead of groups of symbols, so that `symbol_info` does not exist.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: exactly({
    ...{ supports_search: FLAG, supports_group_request: FLAG, supports_marks: FLAG },
    ...{ supports_timescale_marks: FLAG, supports_time: FLAG, supported_resolutions: TEXTS },
    exchanges: { type: 'array', items: exactly({ value: TEXT, name: TEXT, desc: TEXT }) },
    symbols_types: { type: 'array', items: exactly({ name: TEXT, value: TEXT }) },
  }),
  readsOptional: false,
  handle: (context, request, { snapshot }) => {
    const { all } = resolutions(interval => isServed(context, interval));
    return cachedRecord(context, request, snapshot, ['udf/config', all], () => ({
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: all,
      exchanges: [
        { value: '', name: 'All', desc: '' },
        { value: EXCHANGE, name: 'Tidemark', desc: 'Tidemark' },
      ],
      symbols_types: [{ name: 'Crypto', value: TYPE }],
    }));
  },
});

export const time = udfEndpoint({
  id: 'udfTime',
  path: 'time',
  summary: "The server's clock, in seconds since 1970",
  parameters: queryParameters<object>({}, 'ignored'),
  schema: { type: 'integer' },
  readsOptional: false,
  handle: (context, request, { snapshot: { version } }) =>
    jsonRecord(context, request, Buffer.from(String(Math.floor(context.now() / 1000))), version),
});

export const symbols = udfEndpoint({
  id: 'udfSymbols',
  path: 'symbols',
  summary: 'What a chart must know of an asset',
  parameters: queryParameters<{ symbol: string; currencyCode: 'usd' }>(
    { symbol: SYMBOL, currencyCode: CURRENCY },
    'ignored',
  ),
  schema: exactly({
    ...{ name: TEXT, ticker: TEXT, description: TEXT, type: TEXT, session: TEXT, timezone: TEXT },
    ...{ exchange: TEXT, listed_exchange: TEXT, format: TEXT, currency_code: TEXT, data_status: TEXT },
    ...{ minmov: { type: 'integer' }, pricescale: { type: 'integer' }, volume_precision: { type: 'integer' } },
    ...{ has_intraday: FLAG, intraday_multipliers: TEXTS, has_daily: FLAG, has_weekly_and_monthly: FLAG },
    supported_resolutions: TEXTS,
  }),
  readsOptional: false,
  errors: ['unknown_asset'],
  handle: (context, request, market, { symbol }) => {
    const asset = assetOf(market, symbol ?? '');
    const served = resolutions(interval => isServed(context, interval)).all;
    return cachedRecord(context, request, market.snapshot, ['udf/symbols', asset.id, served], async () => {
      const bases = await basesOf(context, market, asset);
      const { all, intraday } = resolutions(interval => bases.has(baseOf(interval)));
      return {
        name: asset.symbol,
        // What the chart names the asset by from now on: tickers may be shared, ids are not.
        ticker: asset.id,
        description: asset.name,
        type: TYPE,
        session: '24x7',
        timezone: 'Etc/UTC',
        exchange: EXCHANGE,
        listed_exchange: EXCHANGE,
        format: 'price',
        currency_code: 'USD',
        data_status: intraday.length === 0 ? 'endofday' : 'delayed_streaming',
        minmov: 1,
        pricescale: 10 ** decimalsOf(market, asset),
        volume_precision: 2,
        has_intraday: intraday.length > 0,
        intraday_multipliers: intraday,
        has_daily: true,
        has_weekly_and_monthly: true,
        supported_resolutions: all,
      };
    });
  },
});

/** The base intervals that the asset has bars of. Days are always there. */
async function basesOf(
  context: ServiceContext,
  { snapshot: { version } }: Market,
  asset: IndexedAsset,
): Promise<ReadonlySet<BaseInterval>> {
  const found = new Set<BaseInterval>(['1d']);
  for (const base of FINE_INTERVALS) {
    const { span } = await publishedOf(context).span(asset, base, version);
    if (span !== null) found.add(base);
  }
  return found;
}

/** Six significant digits of the price; enough for any price if it is unknown. At most what charts take. */
function decimalsOf(market: Market, asset: IndexedAsset): number {
  const price = market.number(market.rowOf(asset), 'price');
  return price === null || price <= 0 ? 8 : Math.min(15, Math.max(2, 5 - Math.floor(Math.log10(price))));
}

const MOST_FOUND = 100;
const DEFAULT_FOUND = 30;

export const search = udfEndpoint({
  id: 'udfSearch',
  path: 'search',
  summary: 'Assets by name, ticker or id',
  description: 'The best-ranked first, at most as many as the tier has rows per page. An empty text finds all.',
  parameters: queryParameters<{ query: string; type: string; exchange: string; limit: number }>(
    {
      query: textParameter('What to search for.'),
      type: textParameter(`Kind of asset: \`${TYPE}\`, or empty for all.`),
      exchange: textParameter(`Exchange: \`${EXCHANGE}\`, or empty for all.`),
      limit: countParameter(`Entries, up to ${MOST_FOUND}; ${DEFAULT_FOUND} without it.`, MOST_FOUND),
    },
    'ignored',
  ),
  schema: {
    type: 'array',
    items: exactly({ symbol: TEXT, full_name: TEXT, description: TEXT, exchange: TEXT, ticker: TEXT, type: TEXT }),
  },
  readsOptional: false,
  handle: (context, request, { snapshot }, { query, type, exchange, limit }) => {
    const most = Math.min(limit ?? DEFAULT_FOUND, request.tier.maxRows);
    const text = (query ?? '').trim();
    const isMeant = (given: string | null, own: string) => ['', own.toLowerCase()].includes(given?.toLowerCase() ?? '');
    const any = isMeant(type, TYPE) && isMeant(exchange, EXCHANGE);
    return cachedRecord(context, request, snapshot, ['udf/search', text, any, most], async () => {
      if (!any) return [];
      const found = text === '' ? bestRankedAssets(snapshot, most) : searchAssets(snapshot, text, most);
      return (await request.run(found)).map(({ id, symbol, name }) => ({
        symbol,
        full_name: `${EXCHANGE}:${symbol}`,
        description: name,
        exchange: EXCHANGE,
        ticker: id,
        type: TYPE,
      }));
    });
  },
});

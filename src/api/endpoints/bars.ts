// `bars`: open, high, low, close and volume of one asset per period.

import { BARS } from '../../domain/datasets.ts';
import { baseOf } from '../../domain/interval.ts';
import { ApiError, quoted } from '../../errors.ts';
import { barsTable } from '../../history/bars-table.ts';
import { coarserBars } from '../../history/coarser-bars.ts';
import { chosenAsset } from '../../query/execute/find-named.ts';
import { perContext, publishedOf, type ServiceContext } from '../context.ts';
import { type AssetSource, assetSource, NO_BARS, oneAssetEndpoint } from '../listing/one-asset.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** The charts of other services read them too. */
export const barsOf = perContext(context =>
  assetSource(context, context.barsBytes, {
    read: (atTurn, asset, interval, version, quote = null) =>
      publishedOf(context).inQuote(quote).bars(asset, interval, version, atTurn),
    none: NO_BARS,
    *make(_, bars, interval) {
      yield;
      return barsTable(bars, interval);
    },
  }),
);

/** The bars of one source, after the actions of the asset, or without them. */
const sourceBarsOf =
  (context: ServiceContext): AssetSource =>
  async (choice, { interval, source, adjusted = true, quote = null }, { run, atTurn }) => {
    if (source === undefined && adjusted)
      return barsOf(context)(choice, { interval, usesOptional: false, quote }, { run, atTurn });
    if (quote !== null) throw sourceInQuote();
    const { fingerprint, version, assetIndex } = requireSnapshot(context);
    const asset = chosenAsset(assetIndex, choice);
    const wanted = { assetNumber: asset.assetNumber, interval: baseOf(interval), adjusted, source: source ?? null };
    const { names, bars: found } = await context.readSources(wanted);
    if (found === null) throw unknownSource(asset.id, source ?? '', names);
    const { period: day, open, high, low, close, volume } = found;
    const read = { day, open, high, low, close, volume };
    const table = await atTurn(async () => barsTable(coarserBars(read, interval), interval));
    return { fingerprint: `${fingerprint} ${source ?? ''} ${adjusted}`, version, table, pages: null };
  };

function sourceInQuote(): ApiError {
  return new ApiError('conflicting_parameters', 'What the sources said is in USD, and quote names another currency.', {
    param: 'quote',
    hint: 'Remove quote, or remove source and adjusted.',
  });
}

function unknownSource(id: string, source: string, known: readonly string[]): ApiError {
  const names = known.join(', ');
  return new ApiError('invalid_value', `${id} has no source ${quoted(source)}.`, {
    param: 'source',
    hint: names === '' ? `${id} has no bars of this interval.` : `Its sources are ${names}.`,
  });
}

export const bars = oneAssetEndpoint(BARS, sourceBarsOf, {
  weeks: ['Two weeks of one asset', '?symbol=ALDM&interval=1w&limit=2'],
  csv: ['As CSV', '?id=aldm-aldermoor&interval=1mo&limit=3&format=csv'],
});

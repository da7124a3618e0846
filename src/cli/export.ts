// `tidemark export`: writes a dataset into a folder of Parquet, CSV or Feather files, while servers and loads use the store.

import { isOptional } from '../domain/columns.ts';
import { ASSETS, BARS, type HistoryDatasetName, SNAPSHOT_DATASETS, TA_HIST } from '../domain/datasets.ts';
import { type Day, dayFromIso } from '../domain/day.ts';
import { INTERVALS, type Interval, LISTED_INTERVALS } from '../domain/interval.ts';
import type { QuoteAsset } from '../domain/quote.ts';
import { servedIntervals } from '../domain/served-intervals.ts';
import { ApiError } from '../errors.ts';
import { exportHistory, FolderError } from '../export/lake/export-history.ts';
import { exportListing } from '../export/lake/export-listing.ts';
import type { FreqtradeLayout } from '../export/lake/freqtrade-names.ts';
import type { Manifest } from '../export/lake/manifest.ts';
import { HISTORY_DATASETS, type HistoryRequest } from '../export/lake/plan.ts';
import { Names } from '../query/names.ts';
import type { Store } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, CommandError, type Invocation, UsageError } from './command.ts';
import { namedQuote } from './named-asset.ts';
import { ProgressLine } from './progress.ts';
import { stopSignal } from './stop-signals.ts';
import { counted, duration, size } from './terminal.ts';
import { VERSION } from './version.ts';

const HISTORIES = Object.keys(HISTORY_DATASETS) as HistoryDatasetName[]; // the keys of a constant
const LISTINGS = SNAPSHOT_DATASETS.map(({ name }) => name);

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write a dataset into a folder of Parquet, CSV or Feather files',
  usage: [
    `--dataset ${[...HISTORIES, ...LISTINGS].join('|')} --out FOLDER [--format parquet|csv] [--interval 1d] [--quote USD]`,
    '--format feather --layout freqtrade --out FOLDER [--stake USDT] [--interval 1d]',
  ],
  maxArgs: 0,
  settings: ['store'],
  options: {
    dataset: {
      placeholder: 'NAME',
      doc: 'bars and ta-hist: every day of every asset; ta-cur and assets: the current rows',
    },
    out: { placeholder: 'FOLDER', doc: 'Folder of the files, which is created; one per export' },
    format: { placeholder: 'FORMAT', doc: 'parquet (the default) or csv; feather for --layout freqtrade' },
    layout: {
      placeholder: 'NAME',
      doc: 'freqtrade: the bars as a data folder of freqtrade, one file such as BTC_USDT-1d.feather per asset',
    },
    stake: { placeholder: 'CURRENCY', doc: 'Currency of the pairs of --layout freqtrade; USDT if not given' },
    interval: {
      placeholder: 'INTERVAL',
      doc: `Length of the periods of bars and ta-hist: ${INTERVALS.join(', ')}, the last for bars only; 1d if not given`,
    },
    quote: {
      placeholder: 'QUOTE',
      doc: 'Ticker or id of the fiat currency or asset that prices are in, for all datasets but assets; USD if not given',
    },
    partition: {
      placeholder: 'HOW',
      doc: 'year (the default for bars and ta-hist): one folder year=YYYY per year; none: no folders',
    },
    'incl-cols': {
      placeholder: 'NAMES',
      doc: 'Optional columns of ta-hist: names and groups of columns, comma-separated, or all',
    },
    from: { placeholder: 'DAY', doc: 'First day of bars and ta-hist, included' },
    to: { placeholder: 'DAY', doc: 'Last day of bars and ta-hist, included' },
    'since-version': {
      placeholder: 'N',
      doc: 'Of bars and ta-hist, only the assets that a publication after this version changed, each with all its days',
    },
  },
  about: `
Everything is of one publication, however long the export takes. DuckDB, Polars, Spark and Trino read the folder as it is.
The rows are those of the HTTP listings; bars and ta-hist also have the id and the ticker of the asset.

freqtrade reads a folder of --layout freqtrade by --datadir. Of several assets with one ticker, the one in the listing has the file. The
stake currency and tickers with characters other than letters, digits and hyphens are left out, and counted.

_tidemark/manifest.json lists the files with their rows and SHA-256, and the version. A file has its final name when it is complete.
Run the same command again to resume an export that was interrupted, as long as nothing new was published.`,
  async run({ config, options, output }) {
    const { dataset, format, folder } = checkedOptions(options);
    const began = performance.now();
    return readingStore(config.store, output, async store => {
      using progress = new ProgressLine(output);
      using stop = stopSignal();
      await requireBars(store, choice(options, 'interval', INTERVALS) ?? '1d');
      const quote = namedQuote(await store.assets(), text(options, 'quote'));
      const common = { store, folder, createdBy: `tidemark version ${VERSION}` };
      try {
        const manifest = isHistory(dataset)
          ? await exportHistory({
              ...common,
              storeUrl: config.store,
              request: { ...historyRequest(dataset, format, options), ...quoteOf(quote) },
              signal: stop.signal,
              onProgress: ({ assets: done, totalAssets: total, rows: read }) =>
                progress.update({ phase: 'bars', done, total, unit: 'assets', read, rejected: 0 }),
            })
          : // `checkedOptions` has refused feather.
            await exportListing({ ...common, dataset, format: format === 'csv' ? 'csv' : 'parquet', quote });
        progress.clear();
        output.print(
          output.json ? JSON.stringify(summary(manifest, folder), null, 2) : sentence(manifest, folder, began),
        );
        return 0;
      } catch (error) {
        if (stop.signal.aborted) throw new CommandError('stopped', 'Run the same command again to resume it.');
        if (error instanceof FolderError) throw new CommandError(error.message, 'Choose another folder.');
        throw error;
      }
    });
  },
};

function quoteOf(quote: QuoteAsset | null): Pick<HistoryRequest, 'quote'> {
  if (quote === null) return {};
  const { assetNumber, id, symbol } = quote;
  return { quote: { assetNumber, id, symbol } };
}

async function requireBars(store: Store, interval: Interval): Promise<void> {
  if (interval === '1d') return;
  const served = servedIntervals(await store.intervals()).map(each => each.interval);
  if (served.includes(interval)) return;
  throw new CommandError(
    `the store has no bars of ${interval}`,
    `It has those of ${served.join(', ') || 'no interval'}.`,
  );
}

type Options = Invocation['options'];

function checkedOptions(options: Options) {
  const folder = text(options, 'out');
  if (folder === null) throw new UsageError('export needs a folder: --out FOLDER');
  const layout = choice(options, 'layout', ['freqtrade']);
  const dataset = choice(options, 'dataset', [...HISTORIES, ...LISTINGS]) ?? (layout === null ? null : BARS.name);
  if (dataset === null) throw new UsageError(`export needs --dataset ${[...HISTORIES, ...LISTINGS].join('|')}`);
  if (!isHistory(dataset)) {
    for (const name of ['from', 'to', 'since-version', 'partition', 'incl-cols', 'interval']) {
      if (text(options, name) !== null) throw new UsageError(`--${name} is for ${HISTORIES.join(' and ')} only`);
    }
  }
  if (dataset === ASSETS.name && text(options, 'quote') !== null)
    throw new UsageError('assets has no prices: leave out --quote');
  const format = choice(options, 'format', ['parquet', 'csv', 'feather']) ?? (layout === null ? 'parquet' : 'feather');
  if (layout !== null) requireFreqtrade(options, dataset, format);
  else {
    if (format === 'feather') throw new UsageError('--format feather needs --layout freqtrade');
    if (text(options, 'stake') !== null) throw new UsageError('--stake is for --layout freqtrade only');
  }
  return { folder, dataset, format };
}

function requireFreqtrade(options: Options, dataset: string, format: string): void {
  if (dataset !== BARS.name) throw new UsageError(`--layout freqtrade is for ${BARS.name} only`);
  if (format !== 'feather') throw new UsageError('--layout freqtrade is for --format feather only');
  // A file has all days of an asset, and whether an asset has a file depends on the others.
  for (const name of ['partition', 'since-version', 'quote']) {
    if (text(options, name) !== null) throw new UsageError(`--${name} is not for --layout freqtrade`);
  }
}

function freqtradeLayout(options: Options): FreqtradeLayout {
  const stake = text(options, 'stake') ?? 'USDT';
  if (!/^[A-Za-z0-9]{1,20}$/.test(stake)) throw new UsageError(`--stake is a currency such as USDT, not '${stake}'`);
  return { stake: stake.toUpperCase(), interval: choice(options, 'interval', INTERVALS) ?? '1d' };
}

function historyRequest(
  dataset: HistoryDatasetName,
  format: HistoryRequest['format'],
  options: Options,
): HistoryRequest {
  const [from, to] = [day(options, 'from'), day(options, 'to')];
  if (from !== null && to !== null && from > to) throw new UsageError('--from is after --to');
  const interval = choice(options, 'interval', dataset === BARS.name ? INTERVALS : LISTED_INTERVALS);
  const since = text(options, 'since-version');
  if (since !== null && !/^\d{1,16}$/.test(since)) throw new UsageError(`--since-version is a version, not '${since}'`);
  return {
    dataset,
    format,
    partition: choice(options, 'partition', ['year', 'none']) ?? (format === 'feather' ? 'none' : 'year'),
    from,
    to,
    inclCols: includedColumns(dataset, text(options, 'incl-cols')),
    sinceVersion: since === null ? null : Number(since),
    ...(interval === null || interval === '1d' || format === 'feather' ? {} : { interval }),
    ...(format === 'feather' ? { freqtrade: freqtradeLayout(options) } : {}),
  };
}

function includedColumns(dataset: HistoryDatasetName, names: string | null): string {
  if (names === null) return '';
  if (dataset !== TA_HIST.name) throw new UsageError(`--incl-cols is for ${TA_HIST.name} only`);
  try {
    const included = new Set(new Names(TA_HIST).includedColumns(names.split(',').map(name => name.trim())));
    return TA_HIST.columns
      .filter((column, i) => isOptional(column) && included.has(i))
      .map(({ name }) => name)
      .join();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`--incl-cols: ${error.message} ${error.hint ?? ''}`.trim());
  }
}

function isHistory(dataset: string): dataset is HistoryDatasetName {
  return HISTORIES.some(name => name === dataset);
}

function text(options: Options, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

function choice<const Choice extends string>(
  options: Options,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = text(options, name);
  if (value === null) return null;
  const found = choices.find(each => each === value);
  if (found === undefined) throw new UsageError(`--${name} is ${choices.join(' or ')}, not '${value}'`);
  return found;
}

function day(options: Options, name: string): Day | null {
  const value = text(options, name);
  const found = value === null ? null : dayFromIso(value);
  if (value !== null && found === null) throw new UsageError(`--${name} is a day such as 2026-01-31, not '${value}'`);
  return found;
}

function summary({ dataset, version, whole, rows, files, left_out }: Manifest, folder: string) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const leftOut = left_out === undefined ? {} : { left_out };
  return { folder, dataset, version, whole, rows, files: files.length, bytes, ...leftOut };
}

function sentence(manifest: Manifest, folder: string, began: number): string {
  const { dataset, version, rows, files, bytes, left_out: leftOut = 0 } = summary(manifest, folder);
  const took = duration(performance.now() - began);
  const others = leftOut === 0 ? '' : `; ${counted(leftOut, 'asset')} left out because of the ticker`;
  return `${dataset} of version ${version}: ${counted(rows, 'row')} in ${counted(files, 'file')} (${size(bytes)}) written to ${folder} in ${took}${others}`;
}

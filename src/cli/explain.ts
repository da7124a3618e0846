// `tidemark explain`: how one number of the listing was computed, as a table.

import { columnHint } from '../common/column-hint.ts';
import type { Asset } from '../domain/asset.ts';

import { usesBenchmark } from '../domain/columns.ts';
import { FIRST_DAY } from '../domain/day.ts';
import {
  baseOf,
  LAST_PERIOD,
  LISTED_INTERVALS,
  type ListedInterval,
  lastPeriodOfTime,
  type Period,
  parseTime,
} from '../domain/interval.ts';
import { EXPLAINED_NAMES, type ExplainedColumn, explain, explainedColumn } from '../explain/explain.ts';
import { currentFigures, figuresOn } from '../explain/fact-definitions.ts';
import { readTraced, type TracedExplanation, type TracedInput, trace } from '../explain/origins.ts';
import { reviewsBehind } from '../explain/reviews-behind.ts';
import { factsInQuote, isFactColumn } from '../history/fact-history.ts';
import { PublishedHistories } from '../history/published-series.ts';
import { intervalBenchmark, publishedSpans } from '../history/published-spans.ts';
import type { ReturnSeries } from '../indicators/return-series.ts';
import type { Store } from '../store/store.ts';
import { readingStore } from './actions.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { namedAsset, namedQuote } from './named-asset.ts';
import { facts, table } from './terminal.ts';

/** Of more inputs than this, those that matter most are shown. */
const INPUTS_SHOWN = 12;

export const explainCommand: Command = {
  name: 'explain',
  summary: 'Show how one number of the listing was computed',
  usage: ['ASSET COLUMN [--as-of DAY]'],
  maxArgs: 2,
  settings: ['store'],
  options: {
    'as-of': { placeholder: 'DAY', doc: 'The day of the value, or a time in its period; without it, the latest close' },
    interval: { placeholder: 'INTERVAL', doc: `Length of a period: ${LISTED_INTERVALS.join(', ')}; 1d if not given` },
    quote: {
      placeholder: 'QUOTE',
      doc: 'Fiat currency or asset that prices are in, by its ticker or id; USD if not given',
    },
  },
  about: `
Prints the formula, the days that go into it, the values on the way, and the exact result to 40 digits beside the served value. ASSET is an
id or a ticker, COLUMN a column of ta-cur such as vol30, also an optional one such as rsi14.

The influence of a day is by how much the value would change if it had the numbers of a day beside it: a wrong price stands out. Of more than
${INPUTS_SHOWN} days, those with the greatest influence are listed, the greatest first; --json has all of them, by day.

If the asset has several sources, or corrections, a second table has what each source said about these days, its weight in the price rule, and
which decided.`,
  async run({ config, args, options, output }) {
    const [name, columnName] = args;
    if (name === undefined || columnName === undefined) throw new UsageError('explain takes an asset and a column');
    const column = columnOf(columnName);
    const interval = intervalOf(options['interval']);
    const until = periodOf(options['as-of'], interval);
    return readingStore(config.store, output, async store => {
      const assets = await store.assets();
      const asset = namedAsset(assets, name);
      const quote = namedQuote(assets, typeof options['quote'] === 'string' ? options['quote'] : null);
      const histories = new PublishedHistories(store.series).inQuote(quote?.assetNumber ?? null);
      const { publishedBars: bars, publishedOrigins: origins } = histories.series(baseOf(interval));
      const { assetNumber, firstDay, lastDay } = asset;
      const { span } = await histories.span({ assetNumber, firstDay, lastDay }, interval);
      const { first, last } = span ?? { first: FIRST_DAY, last: FIRST_DAY };
      const read = await readTraced({ bars, origins }, [assetNumber, first, last], null, interval);
      const records = isFactColumn(column.name)
        ? factsInQuote(await store.factsOf(assetNumber), quote?.assetNumber ?? null)
        : [];
      const found = explain(column, read.bars, until ?? LAST, {
        facts: period => (until === null ? currentFigures(asset, records) : figuresOn(records, interval, period)),
        benchmark: usesBenchmark(column) ? await benchmarkOf(store, interval, quote) : null,
        interval,
        quote: quote?.symbol ?? null,
      });
      if (found === null)
        throw new CommandError(
          `${asset.id} has no close${quote === null ? '' : ` in ${quote.symbol}`} by then`,
          "'tidemark status' shows the days.",
        );
      const { id, symbol } = asset;
      const reviews = await reviewsBehind(store, assetNumber, interval, quote === null);
      const traced = await trace(found, read.bars, read.origins, store.loadsOf, undefined, reviews);
      output.print(output.json ? JSON.stringify({ id, symbol, ...traced }, null, 2) : text({ id, ...traced }));
      return 0;
    });
  },
};

function factLines({ fact }: TracedExplanation): [string, string][] {
  if (fact === undefined) return [];
  return [['known since', `${fact.known_since}, from load ${fact.load}${fact.source ? ` (${fact.source})` : ''}`]];
}

function benchmarkOf(
  store: Store,
  interval: ListedInterval,
  quote: Pick<Asset, 'assetNumber'> | null,
): Promise<ReturnSeries | null> {
  return store.readConsistently(async view => {
    const current = await view.currentSince(0);
    const spans = await publishedSpans(view, interval, current.rows);
    const histories = new PublishedHistories(base => view.series(base)).inQuote(quote?.assetNumber ?? null);
    return intervalBenchmark(view, current, interval, spans, histories.series(baseOf(interval)));
  });
}

function columnOf(name: string): ExplainedColumn {
  const column = explainedColumn(name);
  if (column === null) throw new UsageError(`unknown column ${name}. ${columnHint(name, EXPLAINED_NAMES).hint}`);
  return column;
}

function intervalOf(option: unknown): ListedInterval {
  const interval = LISTED_INTERVALS.find(each => each === (option ?? '1d'));
  if (interval === undefined) throw new UsageError(`--interval: expected one of ${LISTED_INTERVALS.join(', ')}`);
  return interval;
}

function periodOf(option: unknown, interval: ListedInterval): Period | null {
  if (option === undefined) return null;
  const time = typeof option === 'string' ? parseTime(option) : null;
  const period = time && lastPeriodOfTime(interval, time);
  if (period === null) throw new UsageError('--as-of: expected a day such as 2026-01-31');
  return period;
}

/** Whatever is the latest close. */
const LAST = LAST_PERIOD as Period;

function text(found: TracedExplanation & { readonly id: string }): string {
  const { inputs } = found;
  const [shown, rest] = inputs.length <= INPUTS_SHOWN ? [inputs, []] : mostInfluential(inputs);
  const rows = shown.map(input => [
    input.name,
    input.at?.replace(':00.000Z', 'Z') ?? input.day,
    String(input.close),
    influenceText(input.influence),
    numbersText(input),
    input.source ?? '',
    loadText(input),
    noteText(input),
  ]);
  const [next] = rest;
  if (next !== undefined) {
    const most = next.influence === null ? '' : `${influenceText(next.influence)} or less`;
    rows.push(['…', `${rest.length} more`, '', most, '', '', '', '']);
  }
  const parts = [
    facts([
      ['asset', found.id],
      ['column', found.unit === null ? found.column : `${found.column}, ${found.unit}`],
      ['formula', found.formula],
      found.at === undefined ? ['day', found.day] : [found.interval ?? '', found.at],
      ['value', String(found.value)],
      ...factLines(found),
      ['exact', String(found.exact)],
      ['relative error', found.relative_error === null ? 'none' : found.relative_error.toExponential(2)],
    ]),
    table(['close', 'day', `>${found.quote ?? 'USD'}`, '>influence', 'also', 'source', 'load', ''], rows),
  ];
  const sources = shown.flatMap(sourceRows);
  if (sources.length > 0) parts.push(table(['close', 'day', 'source', '>USD', '>weight', ''], sources));
  if (found.steps.length > 0) {
    const steps = found.steps.map(({ name, value }) => [name, value]);
    parts.push(table(['on the way', 'value'], steps));
  }
  return parts.join('\n\n');
}

/** Those that are shown, and the others, both with the greatest influence first; of equals, the latest. */
function mostInfluential(inputs: readonly TracedInput[]): [TracedInput[], TracedInput[]] {
  const ordered = inputs.toSorted((a, b) => (b.influence ?? -1) - (a.influence ?? -1));
  return [ordered.slice(0, INPUTS_SHOWN), ordered.slice(INPUTS_SHOWN)];
}

function influenceText(influence: number | null): string {
  return influence === null ? '' : String(Number(influence.toPrecision(4)));
}

/** What each source said; none if the asset has one source and no correction. */
function sourceRows({ name, delivered_day, delivered_at, sources = [] }: TracedInput): string[][] {
  return sources.map(({ source, close, weight, decided }) => [
    name,
    delivered_at?.replace(':00.000Z', 'Z') ?? delivered_day,
    source ?? '',
    Number.isNaN(close) ? 'none' : String(close),
    String(Number(weight.toPrecision(4))),
    decided ? 'decided' : '',
  ]);
}

/** `high 1.5, low 1.25` */
function numbersText({ numbers }: TracedInput): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${name} ${value ?? 'unknown'}`)
    .join(', ');
}

/** `#12, 2026-11-16 03:00`: its number, and when it began. */
function loadText({ load, loaded_at }: TracedInput): string {
  if (load === null) return 'unknown';
  return loaded_at === null ? `#${load}` : `#${load}, ${loaded_at.slice(0, 16).replace('T', ' ')}`;
}

function noteText(input: TracedInput): string {
  const { carried_forward, delivered_day, replaced_at, actions = [], correction } = input;
  const notes: string[] = [];
  if (carried_forward) notes.push(`carried forward from ${delivered_day}`);
  if (replaced_at !== null) notes.push('replaced an earlier close');
  if (correction !== undefined) notes.push(`correction ${correction.correction}${reasonText(correction)}`);
  for (const action of actions) {
    const what = action.from_id === null ? '' : ` from ${action.from_id}`;
    notes.push(`action ${action.action}: × ${action.ratio}${what} before ${action.day}${reasonText(action)}`);
  }
  return notes.join(', ');
}

function reasonText({ reason }: { readonly reason: string }): string {
  return reason === '' ? '' : ` (${reason.replaceAll(/\s+/g, ' ')})`;
}

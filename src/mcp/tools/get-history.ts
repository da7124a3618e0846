// The tool `get_history`: the indicators of one asset over time. A long range is thinned, and the answer says so.

import { isOptional } from '../../domain/columns.ts';
import { TA_HIST } from '../../domain/datasets.ts';
import type { Interval } from '../../domain/interval.ts';
import { periodWord } from '../../domain/interval-words.ts';
import { executeInSteps } from '../../query/execute/execute.ts';
import { requireQuote } from '../../query/execute/find-named.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { Table } from '../../snapshot/table.ts';
import type { Arguments } from '../arguments.ts';
import { findAsset, sharedTickerNote } from '../find-asset.ts';
import { INTERVAL_ARGUMENT, QUOTE_ARGUMENT } from '../interval-argument.ts';
import { listingUrl, queryText } from '../rest-url.ts';
import { cellText, DIGITS, numberText, plainText, tableText } from '../table-text.ts';
import { columnNames, type Tool } from '../tool.ts';

const NAMES = columnNames(TA_HIST);
const DAY = TA_HIST.columns.findIndex(({ name }) => name === 'datetimeUTC');

export const getHistory: Tool = {
  name: 'get_history',
  title: 'Get the history of one asset',
  description:
    'Daily price and indicators of one asset, or those of another interval, oldest first. First, last, lowest and highest value are computed from every day of the range; ' +
    'the rows are thinned if there are more than `limit`. Example: {"asset":"btc-bitcoin","columns":["price","sma200"],"from":"2026-01-01"}. ' +
    'Not for comparing many assets: use screen_assets with as_of.',
  arguments: {
    asset: { type: 'text', required: true, doc: 'Id such as btc-bitcoin, or ticker such as BTC.' },
    columns: {
      type: 'names',
      names: NAMES,
      listed: false,
      doc: 'Names as in screen_assets, such as price and sma200. Default: price.',
    },
    from: { type: 'day', doc: 'First day, YYYY-MM-DD. Default: the first close.' },
    to: { type: 'day', doc: 'Last day, YYYY-MM-DD. Default: the latest close.' },
    interval: INTERVAL_ARGUMENT,
    quote: QUOTE_ARGUMENT,
    limit: { type: 'integer', max: 400, default: 50, doc: 'Most rows.' },
  },
  example: ({ id }) => ({ asset: id, columns: ['price', 'sma50'] }),
  check(given) {
    planOf(given, given.text('asset') ?? '');
    columnsOf(given);
    given.integer('limit');
  },
  async run(given, context) {
    const { data } = context;
    const snapshot = data.snapshot();
    const text = given.text('asset') ?? '';
    const asset = findAsset(snapshot, text);
    const plan = planOf(given, asset.id);
    const columns = columnsOf(given);
    const usesOptional = columns.some(index => isOptional(TA_HIST.columns[index]!));
    const table = await data.history(asset, { interval: plan.interval, quote: plan.quote, usesOptional });
    const { rows, total } = await context.run(executeInSteps(plan, table, table.rows + 1));
    const one = periodWord(plan.interval);
    const unit = requireQuote(snapshot, plan.quote)?.symbol ?? null;
    if (total === 0) return noRows(asset.id, table, plan.interval, unit);
    const wanted = given.integer('limit');
    const most = Math.min(wanted, context.maxRows);
    const step = Math.ceil(total / most);
    // Counted from the latest day, so that it is always shown.
    const shown = rows.filter((_, i) => (total - 1 - i) % step === 0);
    const optional = columns.filter(index => isOptional(TA_HIST.columns[index]!)).map(index => NAMES[index]);
    const url = listingUrl(context, TA_HIST, {
      id: asset.id,
      interval: given.one('interval'),
      quote: given.text('quote'),
      from: given.text('from'),
      to: given.text('to'),
      order: total > context.maxRows ? 'desc' : 'asc',
      incl_cols: optional.length === 0 ? undefined : optional.join(),
      limit: Math.min(total, context.maxRows),
    });
    const dayOf = (row: number) => cellText(table.columns[DAY]!, row);
    const facts = [
      `${asset.id}: ${total} ${periodWord(plan.interval, 2)} from ${dayOf(rows[0]!)} to ${dayOf(rows[total - 1]!)}${data.simulated ? ', simulated' : ''}.`,
      step === 1
        ? `Every ${one} is shown.`
        : `Thinned: every ${ordinal(step)} ${one} is shown, ${shown.length} of ${total} rows.`,
      unit === null ? '' : `Prices in ${plainText(unit)}.`,
      most < wanted ? `The tier of the API key allows ${most} rows.` : '',
      ...given.notes,
      sharedTickerNote(snapshot, asset, text),
    ];
    return [
      facts.filter(Boolean).join(' '),
      ...columns.map(index => summary(table, rows, index, dayOf)),
      tableText(table, shown, [DAY, ...columns], unit).replace(
        /^datetimeUTC/,
        plan.interval === '1d' ? 'day' : 'start',
      ),
      `Rounded to ${DIGITS} digits. ${exactRows(total, context.maxRows, plan.interval)}, exact: ${url}`,
    ].join('\n');
  },
};

function exactRows(total: number, most: number, interval: Interval): string {
  if (total <= most) return `Every ${periodWord(interval)}`;
  return `The latest ${most} ${periodWord(interval, 2)} (older ones: the link next)`;
}

function planOf(given: Arguments, id: string): Plan {
  const periods = { interval: given.one('interval'), from: given.text('from'), to: given.text('to') };
  const query = { id, ...periods, quote: given.text('quote'), order: 'asc' };
  return parsePlan(TA_HIST, queryText(query));
}

function columnsOf(given: Arguments): number[] {
  const asked = given.names('columns') ?? ['price'];
  return asked.filter(name => name !== 'datetimeUTC' && name !== 'symbol').map(name => NAMES.indexOf(name));
}

function noRows(id: string, table: Table, interval: Interval, unit: string | null): string {
  if (table.rows === 0) return unit === null ? `${id} has no prices.` : `${id} has no prices in ${plainText(unit)}.`;
  const day = (row: number) => cellText(table.columns[DAY]!, row);
  return `${id} has no ${periodWord(interval)} in this range. Its prices are from ${day(0)} to ${day(table.rows - 1)}.`;
}

/** Of every day of the range, nulls left out. */
function summary(table: Table, rows: Uint32Array, index: number, dayOf: (row: number) => string): string {
  const data = table.columns[index]!;
  const { name } = table.dataset.columns[index]!;
  if (data.kind !== 'number') return `${name}: not a number`;
  const present = rows.filter(row => Number.isFinite(data.values[row]!));
  const [first, last] = [present[0], present.at(-1)];
  if (first === undefined || last === undefined) return `${name}: null on every day`;
  const value = (row: number) => data.values[row]!;
  const low = present.reduce((best, row) => (value(row) < value(best) ? row : best));
  const high = present.reduce((best, row) => (value(row) > value(best) ? row : best));
  const at = (row: number) => `${numberText(value(row))} (${dayOf(row)})`;
  return `${name}: first ${at(first)}, last ${at(last)}, lowest ${at(low)}, highest ${at(high)}`;
}

function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  return `${count}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')}`;
}

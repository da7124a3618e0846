// The tool `screen_assets`: the assets that a condition selects, with their indicators.

import type { Steps } from '../../common/steps.ts';
import { type Column, isOptional } from '../../domain/columns.ts';
import { TA_CUR } from '../../domain/datasets.ts';
import { isoOfPeriod, startOfPeriod } from '../../domain/interval.ts';
import { withEarlier } from '../../query/execute/earlier-values.ts';
import { executeInSteps, totalInSteps } from '../../query/execute/execute.ts';
import { requireQuote } from '../../query/execute/find-named.ts';
import { parsePlan } from '../../query/parse/parse-plan.ts';
import type { Plan } from '../../query/parse/plan.ts';
import type { Arguments } from '../arguments.ts';
import { countsAlone } from '../conditions.ts';
import { firstDay, newestPeriod } from '../data-days.ts';
import { INTERVAL_ARGUMENT, QUOTE_ARGUMENT } from '../interval-argument.ts';
import { listingUrl, type Parameters, queryText } from '../rest-url.ts';
import { DIGITS, plainText, tableText } from '../table-text.ts';
import { type CallContext, columnNames, type Tool, type ToolListing } from '../tool.ts';
import { unknownValues } from '../unknown-values.ts';

const NAMES = columnNames(TA_CUR);
const NAME = /[A-Za-z_]\w*/g;

/** Without `columns`. Every row has them; RSI and the like are computed only once someone asks for one. */
const SHOWN = ['price', 'change1', 'change7', 'change30', 'sma50', 'sma200', 'vol30', 'market_cap'];
/** Without `sort`: the largest assets first. Past days have no ranks. */
const SORT = 'rank';
const SORT_OF_PAST = 'symbol';

export const screenAssets: Tool = {
  name: 'screen_assets',
  title: 'Screen assets',
  description:
    'Finds assets by technical indicators: one row per active asset, latest daily close (UTC), prices in USD. Use it for "which", "top N", ' +
    '"how many" questions; the answer states the number of matches. Example: {"where":"market_cap > 1e9 and rsi14 < 30 and price > sma200","sort":"change30","order":"asc"}. ' +
    'describe_columns explains columns and the language of `where`. Do not fetch all rows to compute something: put the condition into `where` ' +
    'and read the number of matches.',
  arguments: {
    where: {
      type: 'condition',
      doc: "Condition on columns: and, or, not, = != < <= > >=, + - * /, between, is null, symbol in ('BTC','ETH'), tag('defi'), lag(rsi14, 1) (a day earlier), crosses_above(sma50, sma200). Percent columns hold 5 for 5 %. Numbers: 1e6, 10M, 1,000,000.",
    },
    sort: {
      type: 'name',
      names: NAMES,
      doc: `Column to sort by, default ${SORT}, the largest assets first. Nulls come last.`,
    },
    order: { type: 'choice', choices: ['asc', 'desc'], doc: 'Default desc; asc for rank and symbol.' },
    columns: {
      type: 'names',
      names: NAMES,
      listed: true,
      doc: 'Columns to show. Default: the most used ones. The columns of where and sort are always shown.',
    },
    limit: { type: 'integer', max: 100, default: 20, doc: 'Rows. The tier of the API key may allow fewer.' },
    interval: INTERVAL_ARGUMENT,
    quote: QUOTE_ARGUMENT,
    as_of: { type: 'day', doc: 'A past day, YYYY-MM-DD: the rows as of its end, of the assets active then.' },
  },
  example: () => ({ where: 'change7 > 10 and price > sma50', sort: 'change7', limit: 5 }),
  check(given) {
    planOf(given);
    given.names('columns');
    given.integer('limit');
  },
  run(given, context) {
    const plan = planOf(given);
    const listing = context.data.listing(plan);
    return listing instanceof Promise
      ? listing.then(found => context.run(answer(given, plan, found, context)))
      : context.run(answer(given, plan, listing, context));
  },
};

/** The parameters of the same query in the REST API. */
function parametersOf(given: Arguments): Parameters {
  const as_of = given.text('as_of');
  const sort = given.one('sort') ?? (as_of === undefined ? SORT : SORT_OF_PAST);
  const order = given.one('order') ?? (sort === SORT || sort === 'symbol' ? 'asc' : 'desc');
  const where = given.text('where');
  const optional = shownColumns(given, where, sort).filter(isOptional);
  const incl_cols = optional.length === 0 ? undefined : optional.map(({ name }) => name).join();
  return { where, sort, order, interval: given.one('interval'), quote: given.text('quote'), as_of, incl_cols };
}

function planOf(given: Arguments): Plan {
  return parsePlan(TA_CUR, queryText(parametersOf(given)));
}

function* answer(given: Arguments, plan: Plan, { table, earlier }: ToolListing, context: CallContext): Steps<string> {
  const wanted = given.integer('limit');
  const limit = Math.min(wanted, context.maxRows);
  const page = yield* executeInSteps(withEarlier(plan, earlier), table, limit);
  const total = yield* totalInSteps(page);
  const parameters = parametersOf(given);
  const snapshot = context.data.snapshot();
  const unit = requireQuote(snapshot, plan.quote)?.symbol ?? null;
  const day = plan.asOf === null ? newestPeriod(table) : isoOfPeriod(plan.interval, plan.asOf);
  const facts = [
    `${total} of ${table.rows} assets match${plan.where === null && plan.filters.length === 0 && plan.symbols === null ? ' (no condition)' : ''}.`,
    total === 0 ? '' : `Rows 1 to ${page.rows.length} by ${parameters['sort']} ${parameters['order']}.`,
    `Data of ${day ?? 'no day'}${context.data.simulated ? ', simulated' : ''}.`,
    unit === null ? '' : `Prices in ${plainText(unit)}.`,
    limit < wanted && total > limit ? `The tier of the API key allows ${limit} rows.` : '',
    ...given.notes,
    ...unknownValues(plan, table, snapshot),
    table.rows === 0 && plan.asOf !== null
      ? noAssets(new Date(startOfPeriod(plan.interval, plan.asOf)).toISOString().slice(0, 10), firstDay(snapshot))
      : '',
  ];
  if (total === 0) {
    const where = given.text('where');
    if (where !== undefined && table.rows > 0) facts.push(yield* countsAlone(where, table, earlier));
    return facts.filter(Boolean).join(' ');
  }
  const columns = shownColumns(given, given.text('where'), String(parameters['sort']));
  const indexes = columns.map(column => table.dataset.columns.indexOf(column));
  const all = { ...parameters, limit: Math.min(total, context.maxRows) };
  return [
    facts.filter(Boolean).join(' '),
    tableText(table, page.rows, indexes, unit),
    `Rounded to ${DIGITS} digits. ${exactRows(total, context.maxRows)}, exact: ${listingUrl(context, TA_CUR, all)}`,
  ].join('\n');
}

function noAssets(day: string, first: string | null): string {
  return first === null || day >= first
    ? 'No asset was active on this day.'
    : `The first close of any asset is of ${first}: as_of takes that day or a later one.`;
}

function exactRows(total: number, most: number): string {
  return total <= most ? 'All rows' : `The first ${most} rows (further ones: the link next)`;
}

function shownColumns(given: Arguments, where: string | undefined, sort: string): Column[] {
  const asked = given.names('columns') ?? SHOWN;
  const inWhere = where?.match(NAME) ?? [];
  const names = ['symbol', ...asked, ...inWhere, sort];
  return [...new Set(names)].flatMap(name => TA_CUR.columns.find(column => column.name === name) ?? []);
}

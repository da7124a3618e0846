// The values of earlier periods that the expressions of a plan read (`lag`), and their place in the plan.

import { partitionPoint } from '../../common/partition-point.ts';
import type { Steps } from '../../common/steps.ts';
import type { HistoryTable } from '../../history/history-table.ts';
import type { ColumnData, Snapshot } from '../../snapshot/table.ts';
import type { BooleanNode, LagNode, NumberNode, RowValues } from '../expression/nodes.ts';
import type { Plan } from '../parse/plan.ts';

/** Of each lag of a plan, one value per row of the table that the plan runs on. */
export type EarlierValues = ReadonlyMap<string, RowValues>;

export function lagName({ column, periods }: LagNode): string {
  return `${column} ${periods}`;
}

/** The plan with the values in the place of its lags. */
export function withEarlier(plan: Plan, earlier: EarlierValues): Plan {
  if (plan.lags.length === 0) return plan;
  const bound = new Binder(earlier);
  const { where } = plan;
  return {
    ...plan,
    computed: plan.computed.map(node => bound.number(node)),
    where: where && { ...where, node: bound.condition(where.node) },
  };
}

/** A node that is used twice stays one node, which a program computes once. */
class Binder {
  readonly #earlier: EarlierValues;
  readonly #known = new Map<NumberNode, NumberNode>();

  constructor(earlier: EarlierValues) {
    this.#earlier = earlier;
  }

  number(node: NumberNode): NumberNode {
    const known = this.#known.get(node) ?? this.#bound(node);
    this.#known.set(node, known);
    return known;
  }

  condition(node: BooleanNode): BooleanNode {
    switch (node.kind) {
      case 'compare':
        return { ...node, left: this.number(node.left), right: this.number(node.right) };
      case 'is null':
        return { ...node, operand: this.number(node.operand) };
      case 'and':
      case 'or':
        return { ...node, operands: node.operands.map(each => this.condition(each)) };
      case 'not':
        return { ...node, operand: this.condition(node.operand) };
      default:
        return node;
    }
  }

  #bound(node: NumberNode): NumberNode {
    if (node.kind === 'operation') return { ...node, operands: node.operands.map(each => this.number(each)) };
    if (node.kind !== 'lag') return node;
    const values = this.#earlier.get(lagName(node));
    if (values === undefined)
      throw new Error(`there are no values of column ${node.column} ${node.periods} periods earlier`);
    return { kind: 'values', column: node.column, values };
  }
}

/** Rows whose values are gathered, and whose assets are looked up, in one step. */
const STEP_ROWS = 2 ** 15;
const STEP_MATCHES = 2 ** 12;

/** A snapshot, by the assets of its listing. */
type Listed = Pick<Snapshot, 'listed'>;

/** For each row the value of `rowOf(row)` in another table; null if that is negative. */
export function* gatherEarlier(data: ColumnData | undefined, rowOf: Int32Array): Steps<Float64Array> {
  if (data?.kind !== 'number' && data?.kind !== 'day') throw new TypeError('a lag is of numbers or days');
  const { values } = data;
  const least = data.kind === 'day' ? 0 : Number.NEGATIVE_INFINITY;
  const gathered = new Float64Array(rowOf.length).fill(Number.NaN);
  for (let start = 0; start < rowOf.length; start += STEP_ROWS) {
    const end = Math.min(start + STEP_ROWS, rowOf.length);
    for (let row = start; row < end; row++) {
      const value = values[rowOf[row]!] ?? Number.NaN;
      if (value >= least) gathered[row] = value;
    }
    yield;
  }
  return gathered;
}

/** Of the days of one asset: each lag is another row of the same table. */
export function* earlierOfHistory(
  lags: readonly LagNode[],
  { columns, earlierRows }: Pick<HistoryTable, 'columns' | 'earlierRows'>,
): Steps<EarlierValues> {
  const rows = new Map(lags.map(({ periods }) => [periods, earlierRows(periods)]));
  const found = new Map<string, RowValues>();
  for (const lag of lags) {
    found.set(lagName(lag), { values: yield* gatherEarlier(columns[lag.column], rows.get(lag.periods)!) }); // by the line above
  }
  return found;
}

/** For each row of a listing, the row of its asset in the snapshot of an earlier period; -1 without one. */
function* earlierRows({ listed }: Listed, earlier: Listed): Steps<Int32Array> {
  const [numbers, known] = [listed.assetNumbers, earlier.listed.assetNumbers];
  const rows = new Int32Array(numbers.length).fill(-1);
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    const place = partitionPoint(0, known.length, at => known[at]! < number);
    if (known[place] === number) rows[row] = place;
    if (row % STEP_MATCHES === STEP_MATCHES - 1) yield;
  }
  return rows;
}

/** Of lags of one number of periods, by their names. `earlier`: the snapshot of `PastDay.lag`. */
export function* earlierOfListing(
  lags: readonly LagNode[],
  current: Listed,
  earlier: Listed & Pick<Snapshot, 'tables'>,
): Steps<EarlierValues> {
  const rows = yield* earlierRows(current, earlier);
  const { columns } = earlier.tables['ta-cur'];
  const found = new Map<string, RowValues>();
  for (const lag of lags) found.set(lagName(lag), { values: yield* gatherEarlier(columns[lag.column], rows) });
  return found;
}

/** The values of few rows alone, without the memory of the others. */
export function earlierOfRows(earlier: EarlierValues, rows: Uint32Array): EarlierValues {
  const places = new Map(Array.from(rows, (row, i) => [row, i]));
  return new Map(
    [...earlier].map(([name, { values }]) => [name, { values: Float64Array.from(rows, row => values[row]!), places }]),
  );
}

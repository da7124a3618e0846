// The indicator values of the latest period, grouped as the catalogue has them: a name shows its formula, a number opens its explanation.

import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { momentOf } from '../day.ts';
import { directionOf, formatCount, formatShare, NOTHING } from '../format.ts';
import { formatCell, hasDirection } from '../format-cell.ts';
import { type Interval, inPeriods, isFine, listedInterval, shownInterval } from '../interval.ts';
import { unitInQuote } from '../quote.ts';
import { formatPeriod, formatPeriodInZone } from '../time-form.ts';
import { Explained } from './explained.tsx';
import { type HistoryRow, startOf } from './history.ts';
import { asWords } from './profile.ts';
import { Tooltip } from './tooltip.tsx';
import './indicators.css';

interface IndicatorsProps {
  /** Of the asset. */
  readonly id: string;
  readonly columns: readonly ColumnFacts[];
  readonly row: HistoryRow;
  /** Closes up to the row's period, one per period; null where that is not known. */
  readonly closes: number | null;
}

/** The optional columns by their group, the others by their family. Those that only the listing has are null here. */
function groupsOf(columns: readonly ColumnFacts[], row: HistoryRow): Map<string, ColumnFacts[]> {
  const shown = columns.filter(({ name, window, group }) =>
    group === undefined ? window !== undefined : row[name] !== null || window !== undefined,
  );
  return Map.groupBy(shown, ({ name, family = name, group }) => (group === undefined ? family : asWords(group)));
}

export function Indicators({ id, columns, row, closes }: IndicatorsProps) {
  const groups = groupsOf(columns, row);
  const interval = listedInterval(shownInterval.value);
  const when = (isFine(interval) ? formatPeriodInZone : formatPeriod)(startOf(row) * 1000, interval);
  return (
    <section class="indicators" aria-labelledby="indicators-title">
      <h2 id="indicators-title">
        Indicators <span class="note">of {when}</span>
      </h2>
      {closes !== null && columns.some(({ min_history: needed = 0 }) => needed > closes) && (
        <p class="note">This asset has {closesText(closes, interval)}; longer windows are not full yet.</p>
      )}
      <div class="indicator-groups">
        {[...groups].map(([title, members]) => (
          <div key={title} class="card">
            <Group id={id} title={title} columns={members} row={row} closes={closes} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Group({ id, title, columns, row, closes }: IndicatorsProps & { readonly title: string }) {
  const averages = columns.every(isAverage);
  const largest = Math.max(...columns.map(column => Math.abs(barValue(column, row) ?? 0)));
  return (
    <table class="indicator-group">
      <caption>
        {title}{' '}
        <span class="note">
          {columns.every(({ unit }) => unit === columns[0]?.unit) && columns[0]?.unit && unitInQuote(columns[0].unit)}
        </span>
      </caption>
      <thead class={averages ? '' : 'visually-hidden'}>
        <tr>
          <th scope="col">Window</th>
          <th scope="col">Value</th>
          {averages && <th scope="col">Price is</th>}
        </tr>
      </thead>
      <tbody>
        {columns.map(column => (
          <tr key={column.name}>
            <th scope="row">
              <Tooltip label={columnLabel(column.name)}>
                <Formula column={column} closes={closes} />
              </Tooltip>
            </th>
            <Value
              id={id}
              column={column}
              row={row}
              closes={closes}
              share={Math.abs(barValue(column, row) ?? 0) / (largest || 1)}
            />
            {averages && <Distance value={distance(column, row)} largest={largest} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Formula({ column, closes }: { readonly column: ColumnFacts; readonly closes: number | null }) {
  const { name, formula, description, min_history: needed = 0 } = column;
  return (
    <>
      <code>
        {name} = {formula}
      </code>
      <p>{description}.</p>
      {closes !== null && closes < needed && (
        <p class="partial">
          A full window needs {needed} closes; this asset has {closes}.
        </p>
      )}
    </>
  );
}

interface ValueProps {
  readonly id: string;
  readonly column: ColumnFacts;
  readonly row: HistoryRow;
  readonly closes: number | null;
  /** Of the largest value of the group, from 0 to 1. */
  readonly share: number;
}

function Value({ id, column, row, closes, share }: ValueProps) {
  const value = numberOf(row, column.name);
  const cell = row[column.name];
  const signed = hasDirection(column);
  // One or two closes have no volatility, for which the service has 0.
  const isUnknown = column.unit === 'percent per year' && closes !== null && closes < 3;
  const barred = column.group === undefined && (signed || column.unit === 'percent per year');
  return (
    <td class={signed ? directionOf(value) : undefined}>
      {barred && <Bar share={share} />}
      <Explained
        asset={id}
        column={column.name}
        at={momentOf(startOf(row) * 1000, listedInterval(shownInterval.value))}
      >
        {isUnknown ? NOTHING : formatCell(column, cell)}
      </Explained>
    </td>
  );
}

function Distance({ value, largest }: { readonly value: number | null; readonly largest: number }) {
  const direction = directionOf(value);
  const where = { up: 'above', down: 'below', flat: 'at it' }[direction];
  return (
    <td class={direction}>
      <Bar share={Math.abs(value ?? 0) / (largest || 1)} />
      {value === null ? NOTHING : `${formatShare(Math.abs(value))} ${where}`}
    </td>
  );
}

function Bar({ share }: { readonly share: number }) {
  return <span class="measure" aria-hidden="true" style={{ inlineSize: `${share * 100}%` }} />;
}

/** What the bars of a group compare: the distance for an average, else the value itself. */
function barValue(column: ColumnFacts, row: HistoryRow): number | null {
  return isAverage(column) ? distance(column, row) : numberOf(row, column.name);
}

function isAverage({ name }: ColumnFacts): boolean {
  return /^sma\d+$/.test(name);
}

/** How far the price is from an average, in percent of the average. */
function distance(column: ColumnFacts, row: HistoryRow): number | null {
  const price = numberOf(row, 'price');
  const average = numberOf(row, column.name);
  return price === null || average === null || average === 0 ? null : (price / average - 1) * 100;
}

export function numberOf(row: HistoryRow, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}

function closesText(count: number, interval: Interval): string {
  return `${formatCount(count)} ${inPeriods(count === 1 ? 'daily close' : 'daily closes', interval)}`;
}

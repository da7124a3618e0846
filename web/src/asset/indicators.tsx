// The indicator values of the latest day, grouped as the catalogue has them; each with its formula on hover and focus.

import type { ColumnFacts } from '../catalog.ts';
import { familyTitle, formatCell, hasDirection } from '../column-label.ts';
import { directionOf, formatCount, formatDay, formatShare, NOTHING } from '../format.ts';
import { averageWindow, type HistoryRow } from './history.ts';
import { Noted } from './noted.tsx';
import { asWords } from './profile.ts';
import './indicators.css';

interface IndicatorsProps {
  readonly columns: readonly ColumnFacts[];
  readonly row: HistoryRow;
  /** Daily closes up to the row's day, null where that is not known. */
  readonly closes: number | null;
}

export function Indicators({ columns, row, closes }: IndicatorsProps) {
  const groups = Map.groupBy(
    columns.filter(column => column.window !== undefined),
    column => column.name.replace(/\d+$/, ''),
  );
  return (
    <section class="indicators" aria-labelledby="indicators-title">
      <h2 id="indicators-title">
        Indicators <span class="note">of {formatDay(String(row['datetimeUTC']))}</span>
      </h2>
      {closes !== null && columns.some(({ min_history: needed = 0 }) => needed > closes) && (
        <p class="note">This asset has {formatCount(closes)} daily closes; longer windows are not full yet.</p>
      )}
      <div class="indicator-groups">
        {[...groups].map(([kind, members]) => (
          <div key={kind} class="card">
            <Group title={familyTitle(kind) ?? asWords(kind)} columns={members} row={row} closes={closes} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Group({ title, columns, row, closes }: IndicatorsProps & { readonly title: string }) {
  const averages = columns.some(column => averageWindow(column.name) !== null);
  const largest = Math.max(...columns.map(column => Math.abs(barValue(column, row) ?? 0)));
  return (
    <table class="indicator-group">
      <caption>
        {title} <span class="note">{columns[0]?.unit}</span>
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
              <Noted label={column.name}>
                <Formula column={column} closes={closes} />
              </Noted>
            </th>
            <Value column={column} row={row} share={Math.abs(barValue(column, row) ?? 0) / (largest || 1)} />
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
  readonly column: ColumnFacts;
  readonly row: HistoryRow;
  /** Of the largest value of the group, from 0 to 1. */
  readonly share: number;
}

function Value({ column, row, share }: ValueProps) {
  const value = numberOf(row, column.name);
  const signed = hasDirection(column);
  const barred = signed || column.unit === 'percent per year';
  return (
    <td class={signed ? directionOf(value) : undefined}>
      {barred && <Bar share={share} />}
      {formatCell(column, value)}
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
  return averageWindow(column.name) === null ? numberOf(row, column.name) : distance(column, row);
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

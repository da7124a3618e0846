// A filter put together as a sentence: a column, what must hold, and against what.

import { useState } from 'preact/hooks';
import { typedNumber } from '../../../src/common/typed-number.ts';
import type { Params } from '../api.ts';
import { columnLabel } from '../column-label.ts';
import type { Filter } from './conditions.ts';
import { Histogram } from './histogram.tsx';
import { isOperator, OPERATORS } from './operators.ts';

export interface NumericColumn {
  readonly name: string;
  readonly unit: string | null;
}

interface Props {
  readonly columns: readonly NumericColumn[];
  /** The one that is changed; null for a new one. */
  readonly filter: Filter | null;
  /** What selects the rows without this filter. */
  readonly params: Params;
  readonly onSubmit: (filter: Filter) => void;
}

const NOT_A_NUMBER = 'Write numbers such as 0.5, 1e-9, 10M, 2.5 B or 1,000,000; the decimal sign is a point.';

/** Stands for a number among the columns to compare with. */
const NUMBER = '';

export function FilterForm({ columns, filter, params, onSubmit }: Props) {
  const [column, setColumn] = useState(columnOf(filter));
  const [condition, setCondition] = useState<string>(
    filter?.kind === 'comparison' ? filter.operator : (filter?.kind ?? 'range'),
  );
  const [low, setLow] = useState(endOf(filter, 'low'));
  const [high, setHigh] = useState(endOf(filter, 'high'));
  const [other, setOther] = useState(otherOf(filter));
  const [number, setNumber] = useState(numberOf(filter));
  const [mistake, setMistake] = useState('');

  function submit(event: Event): void {
    event.preventDefault();
    const made = build();
    setMistake(typeof made === 'string' ? made : '');
    if (typeof made === 'object') onSubmit(made);
  }

  /** The filter, or what is wrong with the fields. */
  function build(): Filter | string {
    if (isOperator(condition)) {
      if (other === column) return 'Compare it with another column.';
      const right = other === NUMBER ? toNumber(number) : other;
      if (right === null) return 'Write the number to compare with.';
      if (Number.isNaN(right)) return NOT_A_NUMBER;
      return { kind: 'comparison', left: column, operator: condition, right };
    }
    if (condition === 'not_null') return { kind: 'not_null', column };
    const [from, to] = [toNumber(low), toNumber(high)];
    if (Number.isNaN(from) || Number.isNaN(to)) return NOT_A_NUMBER;
    if (from === null && to === null) return 'Write a lowest value, a highest one, or both.';
    if (from !== null && to !== null && from > to) return 'The lowest value is above the highest.';
    return { kind: 'range', column, low: from, high: to };
  }

  return (
    <form class="filter-form" onSubmit={submit} noValidate>
      <ColumnSelect label="Show assets whose" columns={columns} value={column} onChange={setColumn} />
      <label>
        <span>Condition</span>
        <select value={condition} onChange={event => setCondition(event.currentTarget.value)}>
          <option value="range">is between two numbers</option>
          {Object.entries(OPERATORS).map(([name, { words }]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
          <option value="not_null">has a value</option>
        </select>
      </label>
      {condition === 'range' && (
        <>
          <NumberField label={`Lowest${unitOf(columns, column)}`} value={low} onChange={setLow} />
          <Histogram
            key={column} // never the bins of one column under the name of another
            column={column}
            params={params}
            low={finite(low)}
            high={finite(high)}
            onRange={(from, to) => {
              setLow(from === null ? '' : String(from));
              setHigh(to === null ? '' : String(to));
            }}
          />
          <NumberField label={`Highest${unitOf(columns, column)}`} value={high} onChange={setHigh} />
        </>
      )}
      {isOperator(condition) && (
        <ColumnSelect label="Compared with" columns={columns} value={other} onChange={setOther}>
          <option value={NUMBER}>a number</option>
        </ColumnSelect>
      )}
      {isOperator(condition) && other === NUMBER && (
        <NumberField label={`Number${unitOf(columns, column)}`} value={number} onChange={setNumber} />
      )}
      <button type="submit" class="primary">
        {filter === null ? 'Add filter' : 'Change filter'}
      </button>
      <p class="field-error" role="alert">
        {mistake}
      </p>
    </form>
  );
}

interface SelectProps {
  readonly label: string;
  readonly columns: readonly NumericColumn[];
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Options before the columns. */
  readonly children?: preact.ComponentChildren;
}

function ColumnSelect({ label, columns, value, onChange, children }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {children}
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {columnLabel(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A text field, since number fields of browsers refuse 1e-9 or hide what was typed. */
function NumberField({ label, value, onChange }: NumberProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder="any"
        title="10M, 2.5 B and 1,000,000 can be typed too"
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** Null for an empty field, NaN for what is not a number. */
function toNumber(text: string): number | null {
  return text.trim() === '' ? null : (typedNumber(text) ?? Number.NaN);
}

function finite(text: string): number | null {
  const value = toNumber(text);
  return value !== null && Number.isFinite(value) ? value : null;
}

function unitOf(columns: readonly NumericColumn[], name: string): string {
  // As in the table, an RSI has no percent sign.
  const unit = name.startsWith('rsi') ? null : columns.find(column => column.name === name)?.unit;
  return unit ? ` (${unit})` : '';
}

function columnOf(filter: Filter | null): string {
  if (filter === null) return 'price';
  return filter.kind === 'comparison' ? filter.left : filter.column;
}

function endOf(filter: Filter | null, end: 'low' | 'high'): string {
  return filter?.kind === 'range' ? String(filter[end] ?? '') : '';
}

function otherOf(filter: Filter | null): string {
  if (filter?.kind !== 'comparison') return NUMBER;
  return typeof filter.right === 'string' ? filter.right : NUMBER;
}

function numberOf(filter: Filter | null): string {
  return filter?.kind === 'comparison' && typeof filter.right === 'number' ? String(filter.right) : '';
}

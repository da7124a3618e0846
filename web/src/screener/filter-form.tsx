// A filter put together as a sentence: a column, what must hold, and against what.

import { useState } from 'preact/hooks';
import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { type Filter, isOperator, OPERATORS } from './view.ts';

interface Props {
  readonly columns: readonly ColumnFacts[];
  /** The one that is changed; null for a new one. */
  readonly filter: Filter | null;
  readonly onSubmit: (filter: Filter) => void;
}

export function FilterForm({ columns, filter, onSubmit }: Props) {
  const numeric = columns.filter(column => column.type === 'number');
  const [column, setColumn] = useState(columnOf(filter));
  const [condition, setCondition] = useState<string>(
    filter?.kind === 'comparison' ? filter.operator : (filter?.kind ?? 'range'),
  );
  const [low, setLow] = useState(endOf(filter, 'low'));
  const [high, setHigh] = useState(endOf(filter, 'high'));
  const [other, setOther] = useState(filter?.kind === 'comparison' ? filter.right : 'sma200');
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
      return { kind: 'comparison', left: column, operator: condition, right: other };
    }
    if (condition === 'not_null') return { kind: 'not_null', column };
    const [from, to] = [low, high].map(text => (text.trim() === '' ? null : Number(text)));
    if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
      return 'Write plain numbers, such as 0.5 or 1e-9.';
    }
    if (from === null && to === null) return 'Write a lowest value, a highest one, or both.';
    if (from !== null && to !== null && from > to) return 'The lowest value is above the highest.';
    return { kind: 'range', column, low: from, high: to };
  }

  return (
    <form class="filter-form" onSubmit={submit} noValidate>
      <ColumnSelect label="Show assets whose" columns={numeric} value={column} onChange={setColumn} />
      <label>
        <span>Condition</span>
        <select value={condition} onChange={event => setCondition(event.currentTarget.value)}>
          <option value="range">is between two numbers</option>
          {Object.entries(OPERATORS).map(([name, { words }]) => (
            <option key={name} value={name}>
              {words} the column
            </option>
          ))}
          <option value="not_null">has a value</option>
        </select>
      </label>
      {condition === 'range' && (
        <>
          <NumberField label={`Lowest${unitOf(numeric, column)}`} value={low} onChange={setLow} />
          <NumberField label={`Highest${unitOf(numeric, column)}`} value={high} onChange={setHigh} />
        </>
      )}
      {isOperator(condition) && (
        <ColumnSelect label="Other column" columns={numeric} value={other} onChange={setOther} />
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
  readonly columns: readonly ColumnFacts[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function ColumnSelect({ label, columns, value, onChange }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
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
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

function unitOf(columns: readonly ColumnFacts[], name: string): string {
  const unit = columns.find(column => column.name === name)?.unit;
  return unit ? ` (${unit})` : '';
}

function columnOf(filter: Filter | null): string {
  if (filter === null) return 'price';
  return filter.kind === 'comparison' ? filter.left : filter.column;
}

function endOf(filter: Filter | null, end: 'low' | 'high'): string {
  return filter?.kind === 'range' ? String(filter[end] ?? '') : '';
}

// The panel in which filters are made and changed: those of numbers, of tags and types, and of the length of history.

import { type Filter, joinConditions, parseFilter, splitConditions, writeFilter } from './conditions.ts';
import { FacetChips } from './facet-chips.tsx';
import { FilterForm, type NumericColumn } from './filter-form.tsx';
import { HistoryField } from './history-field.tsx';
import { filterParams } from './listing-request.ts';
import type { View } from './view.ts';

interface Props {
  readonly columns: readonly NumericColumn[];
  readonly view: View;
  /** Tickers that a search found; null without a search. */
  readonly symbols: readonly string[] | null;
  /** Index of the condition that is being changed; null while a new one is made. */
  readonly editing: number | null;
  readonly onChange: (changes: Partial<View>) => void;
}

export function FilterPanel({ columns, view, symbols, editing, onChange }: Props) {
  const conditions = splitConditions(view.where);
  const isNumeric = (name: string) => columns.some(column => column.name === name);
  const edited = editing === null ? undefined : conditions[editing];
  const filter = edited === undefined ? null : parseFilter(edited, isNumeric);
  const others = conditions.filter((_, i) => i !== editing);

  function submit(made: Filter): void {
    const text = writeFilter(made);
    const rest = others.filter(each => each !== text);
    onChange({ where: joinConditions(editing === null ? [...rest, text] : rest.toSpliced(editing, 0, text)) });
  }

  return (
    <div class="filter-panel">
      <FilterForm
        key={`${editing}/${view.where}`}
        columns={columns}
        filter={filter}
        params={filterParams({ ...view, where: joinConditions(others) }, symbols)}
        onSubmit={submit}
      />
      <FacetChips view={view} params={filterParams({ ...view, tags: [], types: [] }, symbols)} onChange={onChange} />
      <HistoryField
        value={view.minHistory}
        interval={view.interval}
        onChange={minHistory => onChange({ minHistory })}
      />
    </div>
  );
}

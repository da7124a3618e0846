// The panel in which filters are made and changed, and the chips that show those in force.

import type { ColumnFacts } from '../catalog.ts';
import { FilterForm } from './filter-form.tsx';
import { filterText } from './filter-text.ts';
import type { Filter, View } from './view.ts';

interface PanelProps {
  readonly columns: readonly ColumnFacts[];
  readonly view: View;
  /** Index of the filter that is being changed; null while a new one is made. */
  readonly editing: number | null;
  readonly onChange: (changes: Partial<View>) => void;
}

export function FilterPanel({ columns, view, editing, onChange }: PanelProps) {
  const filter = editing === null ? null : (view.filters[editing] ?? null);

  function submit(made: Filter): void {
    const text = filterText(made);
    const others = view.filters.filter((each, i) => i !== editing && filterText(each) !== text);
    onChange({ filters: editing === null ? [...others, made] : others.toSpliced(editing, 0, made) });
  }

  return (
    <div class="filter-panel">
      <FilterForm key={`${editing}/${view.filters.length}`} columns={columns} filter={filter} onSubmit={submit} />
      <label class="history">
        <span>Only assets with at least</span>
        <input
          type="number"
          min="1"
          step="1"
          placeholder="any"
          value={view.minHistory ?? ''}
          onChange={event => onChange({ minHistory: event.currentTarget.valueAsNumber || null })}
        />
        <span>daily closes (200 for a full SMA 200)</span>
      </label>
    </div>
  );
}

interface ChipsProps {
  readonly view: View;
  readonly onEdit: (index: number) => void;
  readonly onChange: (changes: Partial<View>) => void;
}

export function FilterChips({ view, onEdit, onChange }: ChipsProps) {
  const { filters, minHistory, query, newest } = view;
  if (filters.length === 0 && minHistory === null && query === '' && !newest) return null;
  return (
    <ul class="chips" aria-label="Filters in force">
      {query !== '' && <Chip text={`Matches “${query}”`} onRemove={() => onChange({ query: '' })} />}
      {newest && <Chip text="Newcomers" onRemove={() => onChange({ newest: false })} />}
      {filters.map((filter, i) => (
        <Chip
          key={filterText(filter)}
          text={filterText(filter)}
          onEdit={() => onEdit(i)}
          onRemove={() => onChange({ filters: filters.toSpliced(i, 1) })}
        />
      ))}
      {minHistory !== null && (
        <Chip text={`At least ${minHistory} closes`} onRemove={() => onChange({ minHistory: null })} />
      )}
      <li>
        <button
          type="button"
          class="quiet"
          onClick={() => onChange({ filters: [], minHistory: null, query: '', newest: false })}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}

interface ChipProps {
  readonly text: string;
  readonly onEdit?: () => void;
  readonly onRemove: () => void;
}

function Chip({ text, onEdit, onRemove }: ChipProps) {
  return (
    <li class="chip">
      {onEdit ? (
        <button type="button" onClick={onEdit} title="Change this filter">
          {text}
        </button>
      ) : (
        <span>{text}</span>
      )}
      <button type="button" onClick={onRemove} aria-label={`Remove the filter: ${text}`}>
        ✕
      </button>
    </li>
  );
}

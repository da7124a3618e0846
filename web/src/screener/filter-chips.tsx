// The filters in force, one chip each: a click changes it, the cross removes it.

import { formatCount } from '../format.ts';
import { joinConditions, parseFilter, splitConditions } from './conditions.ts';
import { filterText } from './filter-text.ts';
import type { View } from './view.ts';

interface Props {
  readonly view: View;
  readonly isNumeric: (name: string) => boolean;
  /** A condition that the form can show. */
  readonly onEdit: (index: number) => void;
  /** One that only the expression can. */
  readonly onEditText: () => void;
  readonly onChange: (changes: Partial<View>) => void;
}

const NO_FILTERS: Partial<View> = {
  where: '',
  tags: [],
  types: [],
  symbols: [],
  minHistory: null,
  query: '',
};

export function FilterChips({ view, isNumeric, onEdit, onEditText, onChange }: Props) {
  const { where, tags, types, symbols, minHistory, query } = view;
  const conditions = splitConditions(where);
  const count = conditions.length + tags.length + types.length + symbols.length;
  if (count === 0 && minHistory === null && query === '') return null;
  return (
    <ul class="chips" aria-label="Filters in force">
      {query !== '' && <Chip text={`Matches “${query}”`} onRemove={() => onChange({ query: '' })} />}
      {conditions.map((condition, i) => {
        const filter = parseFilter(condition, isNumeric);
        return (
          <Chip
            key={i}
            text={filter === null ? condition : filterText(filter)}
            onEdit={filter === null ? onEditText : () => onEdit(i)}
            onRemove={() => onChange({ where: joinConditions(conditions.toSpliced(i, 1)) })}
          />
        );
      })}
      {symbols.length > 0 && <Chip text={tickersText(symbols)} onRemove={() => onChange({ symbols: [] })} />}
      {tags.map(tag => (
        <Chip key={tag} text={`Tag ${tag}`} onRemove={() => onChange({ tags: tags.filter(each => each !== tag) })} />
      ))}
      {types.map(type => (
        <Chip
          key={type}
          text={`Type ${type}`}
          onRemove={() => onChange({ types: types.filter(each => each !== type) })}
        />
      ))}
      {minHistory !== null && (
        <Chip
          text={`At least ${formatCount(minHistory)} ${minHistory === 1 ? 'close' : 'closes'}`}
          onRemove={() => onChange({ minHistory: null })}
        />
      )}
      <li>
        <button type="button" class="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

function tickersText(symbols: readonly string[]): string {
  return symbols.length <= 3 ? `Only ${symbols.join(', ')}` : `Only ${symbols.length} assets`;
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

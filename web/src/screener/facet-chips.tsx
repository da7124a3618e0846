// Tags and types as chips with their numbers of assets: a click keeps only the assets that have one of those chosen.

import { useState } from 'preact/hooks';
import type { Params } from '../api.ts';
import { formatCount } from '../format.ts';
import { type Facet, useFacets } from './facets.ts';
import type { View } from './view.ts';

interface Props {
  readonly view: View;
  /** What selects the rows besides tags and types. */
  readonly params: Params;
  readonly onChange: (changes: Partial<View>) => void;
}

/** Tags that are shown before “more”. */
const FEW = 12;

export function FacetChips({ view, params, onChange }: Props) {
  const facets = useFacets(params);
  const tags = facets.filter(({ facet }) => facet === 'tag');
  const types = facets.filter(({ facet }) => facet === 'type');
  return (
    <>
      <Choices title="Type" facets={types} chosen={view.types} onChange={next => onChange({ types: next })} />
      <Choices title="Tags" facets={tags} chosen={view.tags} onChange={next => onChange({ tags: next })} />
    </>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly facets: readonly Facet[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Choices({ title, facets, chosen, onChange }: ChoicesProps) {
  const [all, setAll] = useState(false);
  if (facets.length === 0) return null;
  const shown = facets.filter(({ value }, i) => all || i < FEW || chosen.includes(value));
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter(each => each !== value) : [...chosen, value]);
  return (
    <fieldset class="facets">
      <legend>{title}</legend>
      {shown.map(({ value, count }) => (
        <button
          key={value}
          type="button"
          class="facet"
          aria-pressed={chosen.includes(value)}
          onClick={() => toggle(value)}
        >
          {value} <span class="number">{formatCount(count)}</span>
        </button>
      ))}
      {facets.length > shown.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {facets.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

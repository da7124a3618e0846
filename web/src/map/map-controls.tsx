// Above the map: what the areas and colours mean, the tags to zoom into, and the same as a table.

import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { formatCount } from '../format.ts';
import { inPeriods, shownInterval } from '../interval.ts';
import { shownQuote } from '../quote.ts';
import { asOfMoment, goToInterval, goToMoment, goToQuote } from '../routes.ts';
import { AsOfField } from '../shell/as-of.tsx';
import { IntervalField } from '../shell/interval-field.tsx';
import { QuoteField } from '../shell/quote-field.tsx';
import { STEPS } from './colour-scale.ts';
import { AREAS, type AreaId, hasValues, type MapView, mapAddress, screenerOf } from './map-view.ts';
import type { Tag } from './use-map.ts';

interface MapControlsProps {
  readonly search: string;
  readonly view: MapView;
  /** Of the rectangles that are shown. */
  readonly area: AreaId;
  readonly colours: readonly ColumnFacts[];
  readonly tags: readonly Tag[];
  /** Of the colours. */
  readonly end: number;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

/** Tags that have a link of their own; the others are in the list beside it. */
const FREQUENT = 10;

export function MapControls({ search, view, area, colours, tags, end, onChange }: MapControlsProps) {
  return (
    <div class="map-controls">
      <label>
        Area{' '}
        <select value={area} onChange={event => onChange({ area: event.currentTarget.value })}>
          {AREAS.map(({ id, label }) => (
            <option key={id} value={id} disabled={!hasValues(id)}>
              {inPeriods(label, shownInterval.value)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Colour{' '}
        <select value={view.colour} onChange={event => onChange({ colour: event.currentTarget.value })}>
          {colours.map(({ name }) => (
            <option key={name} value={name}>
              {columnLabel(name)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" aria-pressed={view.table} onClick={() => onChange({ view: view.table ? null : 'table' })}>
        Table
      </button>
      <IntervalField interval={shownInterval.value} onInterval={goToInterval} />
      <QuoteField quote={shownQuote.value} onQuote={goToQuote} />
      <AsOfField moment={asOfMoment.value} onMoment={goToMoment} />
      <a class="button" href={screenerOf(search)}>
        Open in the screener
      </a>
      <Scale end={end} />
      {(tags.length > 0 || view.tag !== null) && (
        <nav class="map-tags" aria-label="Tags">
          <a
            class="button"
            href={mapAddress(search, { tag: null })}
            aria-current={view.tag === null ? 'true' : undefined}
          >
            All tags
          </a>
          {view.tag !== null && !tags.slice(0, FREQUENT).some(({ value }) => value === view.tag) && (
            <a class="button" href={mapAddress(search, { tag: view.tag })} aria-current="true">
              {view.tag}
            </a>
          )}
          {tags.slice(0, FREQUENT).map(({ value, count }) => (
            <a
              key={value}
              class="button"
              href={mapAddress(search, { tag: value })}
              aria-current={view.tag === value ? 'true' : undefined}
            >
              {value} <span class="note">{formatCount(count)}</span>
            </a>
          ))}
          {tags.length > FREQUENT && (
            <select
              aria-label="Other tags"
              value=""
              onChange={event => onChange({ tag: event.currentTarget.value || null })}
            >
              <option value="">More tags …</option>
              {tags.slice(FREQUENT).map(({ value, count }) => (
                <option key={value} value={value}>
                  {value} ({formatCount(count)})
                </option>
              ))}
            </select>
          )}
        </nav>
      )}
    </div>
  );
}

/** The colours from the largest fall to the largest rise. */
function Scale({ end }: { readonly end: number }) {
  const falls = Array.from({ length: STEPS }, (_, i) => `fall-${STEPS - i}`);
  const rises = Array.from({ length: STEPS }, (_, i) => `rise-${i + 1}`);
  return (
    <div class="scale" role="img" aria-label={`Colours from −${end}% to +${end}%`}>
      <span>−{end}%</span>
      {[...falls, 'flat', ...rises].map(name => (
        <span key={name} class={`tile ${name}`} />
      ))}
      <span>+{end}%</span>
    </div>
  );
}

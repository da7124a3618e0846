// Above the table: search, presets, the filter, and the panels for filters, columns and the API request.

import { useEffect, useRef, useState } from 'preact/hooks';
import { groupPath } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { inPeriods, listedInterval } from '../interval.ts';
import { AsOfField } from '../shell/as-of.tsx';
import { IntervalField } from '../shell/interval-field.tsx';
import { QuoteField } from '../shell/quote-field.tsx';
import { RequestPanel } from '../shell/request-panel.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import type { TableColumn } from './columns.ts';
import { ComputedForm } from './computed-form.tsx';
import { splitConditions } from './conditions.ts';
import { ExpressionBox } from './expression-box.tsx';
import { useFacets } from './facets.ts';
import { FilterChips } from './filter-chips.tsx';
import type { NumericColumn } from './filter-form.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { LiveButton } from './live-button.tsx';
import { PRESETS, presetView } from './presets.ts';
import { expressionProblem, type RowSource } from './row-source.ts';
import { SavedPanel } from './saved-panel.tsx';
import { SearchBox } from './search-box.tsx';
import { useShare } from './share-button.tsx';
import { dayChanges, intervalChanges, type View, viewAddress } from './view.ts';

interface Props {
  readonly catalogue: readonly ColumnFacts[];
  readonly columns: readonly TableColumn[];
  readonly view: View;
  readonly source: RowSource;
  readonly onChange: (changes: Partial<View>) => void;
  readonly onPreset: (view: View) => void;
  readonly onOpen: (query: string) => void;
}

type Panel = 'filters' | 'columns' | 'saved' | 'export';

export function Toolbar({ catalogue, columns, view, source, onChange, onPreset, onOpen }: Props) {
  const [open, setOpen] = useState<Panel | null>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const filters =
    splitConditions(view.where).length + view.tags.length + view.types.length + (view.minHistory === null ? 0 : 1);
  const numeric = numericColumns(catalogue, view);
  const share = useShare(view);
  const [typing, setTyping] = useState(false);
  const tags = useFacets(typing ? ALL_ASSETS : null).flatMap(({ facet, value }) => (facet === 'tag' ? [value] : []));
  const vocabulary = {
    columns: [...catalogue, ...view.computed].map(({ name }) => ({ name, label: columnLabel(name) })),
    tags,
  };

  function toggle(panel: Panel): void {
    setEditing(null);
    setOpen(open === panel ? null : panel);
  }

  function edit(index: number): void {
    setEditing(index);
    setOpen('filters');
  }

  /** Escape leads back to the button that opened the panel. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || open === null) return;
    setOpen(null);
    bar.current?.querySelector<HTMLElement>(`[aria-controls="${open}-panel"]`)?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard from whatever control has the focus
    <div ref={bar} class="toolbar" onKeyDown={onKeyDown}>
      <div class="tools">
        <Presets view={view} onPreset={onPreset} />
        <div class="when">
          <IntervalField
            interval={view.interval}
            onInterval={interval => onChange(intervalChanges(view, listedInterval(interval)))}
          />
          <QuoteField quote={view.quote} onQuote={quote => onChange({ quote })} />
          <AsOfField moment={view.asOf} onMoment={moment => onChange(dayChanges(view, moment))} />
          {view.asOf === null && !view.inactive && <LiveButton source={source} />}
        </div>
      </div>
      <div class="tools">
        <SearchBox query={view.query} onQuery={query => onChange({ query })} onOpen={onOpen} />
        <ExpressionBox
          value={view.where}
          vocabulary={vocabulary}
          problem={expressionProblem(source)}
          onFocus={() => setTyping(true)}
          onChange={where => onChange({ where })}
        />
        <div class="panel-buttons">
          <PanelButton panel="filters" open={open} onToggle={toggle}>
            Filters {filters > 0 && <FilterCount count={filters} />}
          </PanelButton>
          <PanelButton panel="columns" open={open} onToggle={toggle}>
            Columns
          </PanelButton>
          <PanelButton panel="saved" open={open} onToggle={toggle}>
            Saved
          </PanelButton>
          <PanelButton panel="export" open={open} onToggle={toggle}>
            Export
          </PanelButton>
          {share.button}
        </div>
        {share.message}
      </div>
      {open === 'filters' && (
        <PanelBox panel="filters" label="Filters">
          <FilterPanel
            columns={numeric}
            view={view}
            symbols={source.matches.value?.symbols ?? null}
            editing={editing}
            onChange={changes => {
              setEditing(null);
              onChange(changes);
            }}
          />
        </PanelBox>
      )}
      {open === 'columns' && (
        <PanelBox panel="columns" label="Columns">
          <ComputedForm view={view} onChange={onChange} />
          <ColumnChooser columns={columns} shown={view.columns} onChange={shown => onChange({ columns: shown })} />
        </PanelBox>
      )}
      {open === 'saved' && (
        <PanelBox panel="saved" label="Saved screens and watchlists">
          <SavedPanel view={view} />
        </PanelBox>
      )}
      {open === 'export' && source.params.value && (
        <PanelBox panel="export" label="Export: files, and the API request behind this view">
          <RequestPanel
            path={groupPath('ta-cur')}
            params={{ limit: source.pageSize.value ?? undefined, page: view.page, ...source.params.value }}
            fileName="tidemark-ta-cur"
            rows={source.total.value}
            pageSize={source.pageSize.value}
            parquet="ta-cur"
            columns={view.columns}
            asOf={view.asOf}
            before={
              source.matches.value ? { path: groupPath('assets'), params: source.matches.value.params } : undefined
            }
          />
        </PanelBox>
      )}
      <FilterChips
        view={view}
        isNumeric={name => numeric.some(column => column.name === name)}
        onEdit={edit}
        onEditText={() => document.getElementById('where')?.focus()}
        onChange={onChange}
      />
    </div>
  );
}

/** The query without filters. */
const ALL_ASSETS = {};

/** Those that a number can be compared with: of the catalogue, and computed ones. */
function numericColumns(catalogue: readonly ColumnFacts[], { computed }: View): readonly NumericColumn[] {
  const numbers = catalogue.filter(({ type }) => type === 'number' || type === 'integer');
  return [...numbers, ...computed.map(({ name }) => ({ name, unit: null }))];
}

function FilterCount({ count }: { readonly count: number }) {
  return (
    <span class="badge">
      {count} <span class="visually-hidden">in force</span>
    </span>
  );
}

interface ButtonProps {
  readonly panel: Panel;
  readonly open: Panel | null;
  readonly onToggle: (panel: Panel) => void;
  readonly children: preact.ComponentChildren;
}

function PanelButton({ panel, open, onToggle, children }: ButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open === panel}
      aria-controls={`${panel}-panel`}
      onClick={() => onToggle(panel)}
    >
      {children}
    </button>
  );
}

interface BoxProps {
  readonly panel: Panel;
  readonly label: string;
  readonly children: preact.ComponentChildren;
}

/** Its first control has the focus when it opens, so that the keyboard goes on there. */
function PanelBox({ panel, label, children }: BoxProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('select, input, button')?.focus({ preventScroll: true }), []);
  return (
    <section ref={box} id={`${panel}-panel`} class="panel" aria-label={label}>
      {children}
    </section>
  );
}

function Presets({ view, onPreset }: Pick<Props, 'view' | 'onPreset'>) {
  const address = viewAddress(view);
  return (
    <nav class="presets" aria-label="Presets">
      {PRESETS.map(each => {
        const { name, tooltip } = each;
        const wanted = presetView(each);
        const preset = { ...wanted, ...dayChanges(wanted, view.asOf), interval: view.interval, quote: view.quote };
        return (
          <button
            key={name}
            type="button"
            class="quiet"
            title={inPeriods(tooltip, view.interval)}
            aria-pressed={viewAddress(preset) === address}
            onClick={() => onPreset(preset)}
          >
            {inPeriods(name, view.interval)}
          </button>
        );
      })}
    </nav>
  );
}

// The screener: the whole listing as a table, and above it what chooses its rows and columns.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type ColumnFacts, columnsIn, columnsOf } from '../catalog.ts';
import { type Failure, failureIn } from '../failure.ts';
import { findAbsentColumns } from '../find-absent-columns.ts';
import { key, keysEntered } from '../key.ts';
import { dataVersion, tabHidden } from '../new-data.ts';
import { assetAddress, goTo, replaceAddress } from '../routes.ts';
import { AsOfBanner, momentText } from '../shell/as-of.tsx';
import { Loading } from '../shell/loading.tsx';
import { narrow } from '../shell/narrow.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { assetOf, searchAssets } from './asset-names.ts';
import { tableColumns } from './columns.ts';
import { livePaused } from './live-feed.ts';
import { MarketSummary } from './market-summary.tsx';
import { RowSource } from './row-source.ts';
import { ScreenerTable } from './screener-table.tsx';
import { Toolbar } from './toolbar.tsx';
import { dayChanges, type Order, parseView, type View, viewAddress } from './view.ts';
import '../styles/screener.css';

export function ScreenerPage({ search }: { readonly search: string }) {
  const [catalogue, setCatalogue] = useState<readonly ColumnFacts[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    document.title = 'Screener · Tidemark';
    setFailure(null);
    Promise.all([columnsOf('ta-cur'), findAbsentColumns()]).then(
      ([columns]) => setCatalogue(columns),
      error => setFailure(failureIn(error)),
    );
  }, [attempt]);

  if (failure) return <ProblemNotice failure={failure} onRetry={() => setAttempt(attempt + 1)} />;
  if (catalogue === null) return <Loading what="the columns" />;
  return <Screener catalogue={catalogue} search={search} />;
}

interface Kept {
  readonly id: string;
  readonly source: RowSource;
  /** Of the service's data, when the rows were fetched. */
  version: number;
  scrollTop: number;
}

/** The rows of the last view, so that the way back from an asset finds them as they were. */
let kept: Kept | null = null;

function keptSource(view: View, columns: readonly ColumnFacts[]): Kept {
  const id = [viewAddress({ ...view, page: 1 }), key.value, keysEntered.value].join(' ');
  if (kept?.id === id) return kept;
  kept?.source.dispose();
  kept = { id, source: new RowSource(view, columns), version: dataVersion.value, scrollTop: 0 };
  void kept.source.start(view.page);
  return kept;
}

/** The exact ticker, or else the top row of the table if it shows this search already, or else the best-ranked match. */
async function bestMatch(query: string, top: string | undefined, view: View): Promise<string | undefined> {
  try {
    const { symbols, inactive } = await searchAssets(query, view);
    const exact = symbols.find(each => each.toLowerCase() === query.toLowerCase());
    return exact ?? top ?? symbols[0] ?? inactive[0]?.id;
  } catch (error) {
    failureIn(error);
    return undefined;
  }
}

/** A phone has room for two columns: the rank is not one of them. */
function onPhone(columns: readonly string[]): readonly string[] {
  return [...columns.filter(name => name !== 'rank'), ...columns.filter(name => name === 'rank')];
}

const COLUMNS = 'tidemark-columns';

/** The columns that were last chosen on this device, unless the address names its own. */
function withRememberedColumns(view: View, search: string): View {
  const remembered = localStorage.getItem(COLUMNS);
  if (remembered === null || new URLSearchParams(search).has('cols')) return view;
  return { ...view, columns: remembered.split(',') };
}

function Screener({ catalogue, search }: { readonly catalogue: readonly ColumnFacts[]; readonly search: string }) {
  const known = new Set(catalogue.map(column => column.name));
  const view = withRememberedColumns(parseView(search, known), search);
  const rows = keptSource(view, catalogue);
  const { interval } = view;
  const described = columnsIn(catalogue, interval, rows.source.words.value);
  const all = tableColumns(described, view.computed);

  useEffect(() => {
    if (livePaused.value || rows.version === dataVersion.value) return;
    rows.version = dataVersion.value;
    void rows.source.refresh();
  }, [rows, dataVersion.value, livePaused.value]);
  const follows = !livePaused.value && !tabHidden.value;
  useEffect(() => {
    rows.source.follow(follows);
    return () => rows.source.follow(false);
  }, [rows, follows]);

  // A filter that is typed is applied a moment later, by a function of the rendering in which it was typed.
  const shown = useRef(view);
  shown.current = view;
  function change(changes: Partial<View>): void {
    if (changes.columns !== undefined) localStorage.setItem(COLUMNS, changes.columns.join());
    replaceAddress(viewAddress({ ...shown.current, page: 1, ...changes }));
  }

  async function open(query: string): Promise<void> {
    const top = query === view.query ? rows.source.row(0)?.symbol : undefined;
    const symbol = query === '' ? undefined : await bestMatch(query, top, view);
    if (symbol !== undefined) goTo(assetAddress(assetOf(symbol)?.id ?? symbol));
    // The table says that nothing matches, or shows the failure.
    else change({ query });
  }

  return (
    <div class="screener">
      <h1 class="visually-hidden">Screener</h1>
      <MarketSummary asOf={view.asOf} interval={interval} ready={rows.source.ready} />
      <Toolbar
        catalogue={described}
        columns={all.filter(({ name }) => !view.computed.some(each => each.name === name))}
        view={view}
        source={rows.source}
        onChange={change}
        onPreset={preset => goTo(viewAddress(preset))}
        onOpen={query => void open(query)}
      />
      <AsOfBanner moment={view.asOf} onMoment={moment => change(dayChanges(view, moment))}>
        The market of <strong>{view.asOf && momentText(view.asOf)}</strong>, with the assets of that{' '}
        {view.asOf?.includes('T') ? 'time' : 'day'}, computed from closes up to it only. Ranks and market caps are those
        recorded by then.
      </AsOfBanner>
      <ScreenerTable
        source={rows.source}
        columns={(narrow.value ? onPhone(view.columns) : view.columns).flatMap(
          name => all.find(column => column.name === name) ?? [],
        )}
        view={view}
        onSort={(sort: string, order: Order) => change({ sort, order })}
        onPage={page => change({ page })}
        onRetry={() => rows.source.retry(view.page)}
        scrollTop={rows.scrollTop}
        onScrolled={scrollTop => {
          rows.scrollTop = scrollTop;
        }}
      />
    </div>
  );
}

// The price history: controls, chart, and how much of it is loaded where the key's tier does not give it all at once.

import { useMemo, useRef } from 'preact/hooks';
import type { ColumnFacts } from '../catalog.ts';
import { withDay } from '../day.ts';
import { replaceAddress, route } from '../routes.ts';
import { lazy } from '../shell/lazy.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { AverageControls, MainControls, MoreControls } from './chart-controls.tsx';
import { columnsFor, hasDailyIndicators } from './chart-plots.ts';
import { AVERAGES, type Average, type ChartState, chartSearch, firstInRange, parseChartState } from './chart-state.ts';
import { baseDay, type ComparedAsset, rebased } from './compare.ts';
import { CompareBox } from './compare-box.tsx';
import { barPoints, type HistoryPoint, historyPoints } from './history.ts';
import { LoadedNote, rangeFrom } from './loaded-note.tsx';
import type { Profile } from './profile.ts';
import { RequestSection } from './request-section.tsx';
import { comparedAsset, useCompared } from './use-compared.ts';
import { historyParams, PAGE_ROWS, useRows } from './use-rows.ts';
import './price-chart.css';

interface ChartSectionProps {
  readonly profile: Profile;
  readonly columns: readonly ColumnFacts[];
  /** Last day; null: the newest. */
  readonly to: string | null;
}

/** The chart library comes after the figures. */
const PriceChart = lazy(() => import('./price-chart.tsx'), <Loading what="the chart" />);

interface Comparison {
  readonly assets: readonly ComparedAsset[];
  /** The day on which each asset is 100; null for drawdowns. */
  readonly base: string | null;
}

const NONE: Comparison = { assets: [], base: null };

export function ChartSection({ profile, columns, to }: ChartSectionProps) {
  const search = 'search' in route.value ? route.value.search : '';
  const state = useMemo(() => withoutItself(parseChartState(search), profile.id), [search]);
  const interval = state.vs.length > 0 || state.style === 'drawdown' ? '1d' : state.interval;
  const drawn = useDrawnSoFar(columnsFor(state));
  const { id } = profile;
  const daily = useRows('ta-hist', historyParams(id, columns, drawn, to));
  const bars = useRows(
    'bars',
    interval === '1d' ? null : { id, interval, order: 'desc', limit: PAGE_ROWS, to: to ?? undefined },
  );
  const rows = interval === '1d' ? daily : bars;
  const points = useMemo(() => {
    const days = historyPoints(daily.loaded.rows);
    return interval === '1d' ? days : barPoints(bars.loaded.rows, days);
  }, [daily.loaded, bars.loaded, interval]);
  const column = state.style === 'drawdown' ? 'from_ath' : 'price';
  const others = useCompared(state.vs, column, columns, to);
  const { assets: compared, base } = useMemo(
    () => (state.vs.length === 0 ? NONE : comparison(profile, points, others.value ?? [], column, state)),
    [points, others.value, state],
  );
  const shown = useMemo(() => withBars(state, points), [state, points]);
  const change = (changed: ChartState) => replaceAddress(withDay(location.pathname + chartSearch(changed), to));
  const failure = rows.failure ?? others.failure;
  return (
    <section class="price-history card" aria-labelledby="history-title">
      <h2 id="history-title">Price history</h2>
      <MainControls state={shown} onChange={change}>
        <CompareBox id={id} vs={state.vs} compared={compared} onChange={vs => change({ ...state, vs })} />
      </MainControls>
      <MoreControls state={shown} onChange={change} />
      {hasDailyIndicators(shown) && (
        <p class="daily-note">
          The indicators are <strong>daily</strong>: each {interval === '1w' ? 'week' : 'month'} shows those of its last
          day.
        </p>
      )}
      <div class="chart-box">
        {points.length > 0 ? (
          <PriceChart id={id} name={profile.name} points={points} state={shown} compared={compared} />
        ) : (
          rows.loading && <Loading what="the history" />
        )}
        {points.length === 0 && !rows.loading && failure === null && <p class="note">There is no price yet.</p>}
      </div>
      <AverageControls state={shown} windows={windowsOf(columns)} onChange={change} />
      {base !== null && <p class="note">Rebased: every asset is 100 on {base}.</p>}
      {failure !== null && (
        <ProblemNotice failure={failure} onRetry={rows.failure === null ? others.retry : rows.retry} />
      )}
      {points.length > 0 && failure === null && (
        <LoadedNote
          rows={rows}
          points={points}
          range={state.range}
          firstDay={profile.first_data_at?.slice(0, 10) ?? null}
        />
      )}
      <RequestSection
        id={id}
        params={historyParams(id, columns, new Set(columnsFor(state)), to)}
        interval={interval}
        from={rangeFrom(points, state.range)}
      />
    </section>
  );
}

/** All columns that were drawn since the page was opened, so that switching one off and on again sends no request. */
function useDrawnSoFar(names: readonly string[]): ReadonlySet<string> {
  const drawn = useRef(new Set<string>());
  for (const name of names) drawn.current.add(name);
  return drawn.current;
}

/** The days of the range, each asset as 100 on the first of them that all have; drawdowns need no base. */
function comparison(
  { id, symbol }: Profile,
  points: readonly HistoryPoint[],
  others: readonly ComparedAsset[],
  column: string,
  { range }: ChartState,
): Comparison {
  const assets = [comparedAsset(id, symbol, points, column), ...others];
  if (column !== 'price') return { assets, base: null };
  const days = points.slice(firstInRange(points, range)).map(({ day }) => day);
  const base = baseDay(days, assets);
  return { assets: assets.map(asset => rebased(asset, base)), base };
}

function withoutItself(state: ChartState, id: string): ChartState {
  return { ...state, vs: state.vs.filter(each => each !== id) };
}

/** A source that gives closes only has no candles. */
function withBars(state: ChartState, points: readonly HistoryPoint[]): ChartState {
  const hasBars = points.length === 0 || points.some(({ values }) => values.has('open'));
  return hasBars || state.style !== 'candles' ? state : { ...state, style: 'line' };
}

function windowsOf(columns: readonly ColumnFacts[]): Record<Average, readonly number[]> {
  const of = (kind: Average) =>
    columns.flatMap(({ name }) => {
      const window = new RegExp(`^${kind}(\\d+)$`).exec(name)?.[1];
      return window === undefined ? [] : [Number(window)];
    });
  const [sma, ema] = AVERAGES.map(of);
  return { sma: sma!, ema: ema! };
}

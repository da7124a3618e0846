// The price history: controls, chart, and how much of it is loaded where the key's tier does not give it all at once.

import { useMemo, useRef } from 'preact/hooks';
import { type ColumnFacts, intervals } from '../catalog.ts';
import { momentOf, withDay, withQuote } from '../day.ts';
import { type Interval, intervalParam, listedInterval } from '../interval.ts';
import { quoteParam } from '../quote.ts';
import { replaceAddress, route } from '../routes.ts';
import { lazy } from '../shell/lazy.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { formatPeriodInZone } from '../time-form.ts';
import { AverageControls, MainControls, MoreControls } from './chart-controls.tsx';
import { columnsFor, hasDailyIndicators } from './chart-plots.ts';
import { AVERAGES, type Average, type ChartState, chartSearch, firstInRange, parseChartState } from './chart-state.ts';
import { basePeriod, type ComparedAsset, rebased } from './compare.ts';
import { CompareBox } from './compare-box.tsx';
import { barPoints, type HistoryPoint, historyPoints } from './history.ts';
import { LoadedNote, rangeFrom } from './loaded-note.tsx';
import type { Mark } from './marks.ts';
import type { Profile } from './profile.ts';
import { RequestSection } from './request-section.tsx';
import { comparedAsset, useCompared } from './use-compared.ts';
import { historyParams, PAGE_ROWS, useRows } from './use-rows.ts';
import './price-chart.css';

interface ChartSectionProps {
  readonly profile: Profile;
  readonly columns: readonly ColumnFacts[];
  /** Last day or time; null: the newest. */
  readonly to: string | null;
  readonly marks: readonly Mark[];
}

/** The chart library comes after the figures. */
const PriceChart = lazy(() => import('./price-chart.tsx'), <Loading what="the chart" />);

interface Comparison {
  readonly assets: readonly ComparedAsset[];
  /** Start of the period in which each asset is 100, in seconds since 1970; null for drawdowns. */
  readonly base: number | null;
}

const NONE: Comparison = { assets: [], base: null };

/** Of one interval: for another one it is made anew. */
export function ChartSection({ profile, columns, to, marks }: ChartSectionProps) {
  const search = 'search' in route.value ? route.value.search : '';
  const state = useMemo(() => withoutItself(parseChartState(search), profile.id), [search]);
  const at = { interval: listedInterval(state.interval), to };
  const interval = state.vs.length > 0 || state.style === 'drawdown' ? at.interval : state.interval;
  const isMonths = interval === '1mo';
  const drawn = useDrawnSoFar(columnsFor(state));
  const { id } = profile;
  const history = useRows('ta-hist', historyParams(id, columns, drawn, at), state.range);
  const bars = useRows(
    'bars',
    isMonths ? { id, interval, order: 'desc', limit: PAGE_ROWS, to: to ?? undefined } : null,
    state.range,
  );
  const rows = isMonths ? bars : history;
  const points = useMemo(
    () => (isMonths ? barPoints(bars.loaded.rows, history.loaded.rows) : historyPoints(history.loaded.rows)),
    [history.loaded, bars.loaded, isMonths],
  );
  const column = state.style === 'drawdown' ? 'from_ath' : 'price';
  const others = useCompared(state.vs, column, columns, at);
  const { assets: compared, base } = useMemo(
    () => (state.vs.length === 0 ? NONE : comparison(profile, points, others.value ?? [], column, state)),
    [points, others.value, state],
  );
  const shown = useMemo(() => withBars({ ...state, interval }, points), [state, interval, points]);
  const change = (changed: ChartState) =>
    replaceAddress(withQuote(withDay(location.pathname + chartSearch(changed), to), quoteParam() ?? null));
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
          The indicators are <strong>daily</strong>: each month shows those of its last day.
        </p>
      )}
      <div class="chart-box">
        {points.length > 0 ? (
          <PriceChart
            id={id}
            name={profile.name}
            points={points}
            state={shown}
            compared={compared}
            marks={marks}
            // Days come whole, or by the button below.
            loading={rows.loading && interval !== '1d'}
            onNearStart={rows.loadOlder}
          />
        ) : (
          rows.loading && <Loading what="the history" />
        )}
        {points.length === 0 && !rows.loading && failure === null && <p class="note">There is no price yet.</p>}
      </div>
      <AverageControls state={shown} windows={windowsOf(columns)} texts={textsOf(columns)} onChange={change} />
      {base !== null && <p class="note">Rebased: every asset is 100 on {formatPeriodInZone(base * 1000, interval)}.</p>}
      {failure !== null && (
        <ProblemNotice failure={failure} onRetry={rows.failure === null ? others.retry : rows.retry} />
      )}
      {points.length > 0 && failure === null && (
        <LoadedNote
          rows={rows}
          points={points}
          range={state.range}
          interval={interval}
          start={firstStart(profile, interval)}
        />
      )}
      <RequestSection
        id={id}
        params={historyParams(id, columns, new Set(columnsFor(state)), at)}
        interval={interval}
        from={momentOrAll(rangeFrom(points, state.range), at.interval)}
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

/** The periods of the range, each asset as 100 in the first of them that all have; drawdowns need no base. */
function comparison(
  { id, symbol }: Profile,
  points: readonly HistoryPoint[],
  others: readonly ComparedAsset[],
  column: string,
  { range }: ChartState,
): Comparison {
  const assets = [comparedAsset(id, symbol, points, column), ...others];
  if (column !== 'price') return { assets, base: null };
  const starts = points.slice(firstInRange(points, range)).map(({ start }) => start);
  const base = basePeriod(starts, assets);
  return { assets: assets.map(asset => rebased(asset, base)), base };
}

/** Seconds since 1970: of an asset, the first day; of another interval, the first period of any asset, before which there are none. */
function firstStart({ first_data_at: first }: Profile, interval: Interval): number | null {
  const own = first === null ? null : Date.parse(first.slice(0, 10)) / 1000;
  const span = intervalParam(interval) && intervals.value.find(each => each.interval === interval);
  return span === undefined ? own : Math.max(own ?? 0, Date.parse(span.first) / 1000);
}

function momentOrAll(start: number | null, interval: Interval): string | null {
  return start === null ? null : momentOf(start * 1000, interval);
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

function textsOf(columns: readonly ColumnFacts[]): ReadonlyMap<string, string> {
  return new Map(columns.flatMap(({ name, window_text: text }) => (text === undefined ? [] : [[name, text]])));
}

// The price history: controls, chart, and how much of it is loaded where the key's tier does not give it all at once.

import { useMemo } from 'preact/hooks';
import type { ColumnFacts } from '../catalog.ts';
import { formatCount } from '../format.ts';
import { replaceAddress, route } from '../routes.ts';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { ChartControls } from './chart-controls.tsx';
import { type ChartState, chartSearch, parseChartState, rangeStart } from './chart-state.ts';
import { averageWindow, dayCount } from './history.ts';
import { PriceChart } from './price-chart.tsx';
import type { Profile } from './profile.ts';
import { RequestSection } from './request-section.tsx';
import { type History, useHistory } from './use-history.ts';
import './price-chart.css';

interface ChartSectionProps {
  readonly profile: Profile;
  readonly columns: readonly ColumnFacts[];
}

export function ChartSection({ profile, columns }: ChartSectionProps) {
  const history = useHistory(profile.id, columns);
  const search = 'search' in route.value ? route.value.search : '';
  const state = useMemo(() => parseChartState(search), [search]);
  const windows = columns.flatMap(column => averageWindow(column.name) ?? []);
  const { points, failure, loading } = history;
  return (
    <section class="price-history card" aria-labelledby="history-title">
      <h2 id="history-title">Price history</h2>
      <ChartControls
        state={state}
        windows={windows}
        onChange={changed => replaceAddress(location.pathname + chartSearch(changed))}
      />
      {points.length > 0 ? (
        <PriceChart name={profile.name} points={points} state={state} />
      ) : (
        <div class="chart-empty">
          {loading ? <Loading what="the history" /> : failure === null && <p class="note">There is no price yet.</p>}
        </div>
      )}
      {failure !== null && <ProblemNotice failure={failure} onRetry={history.retry} />}
      {points.length > 0 && failure === null && (
        <LoadedNote history={history} state={state} firstDay={profile.first_data_at?.slice(0, 10) ?? null} />
      )}
      <RequestSection id={profile.id} columns={columns} from={rangeFrom(history, state)} />
    </section>
  );
}

/** The day back to which the range reaches, null for all days. */
function rangeFrom({ points }: History, { range }: ChartState): string | null {
  const last = points.at(-1);
  return last === undefined ? null : rangeStart(range, last.day);
}

interface LoadedNoteProps {
  readonly history: History;
  readonly state: ChartState;
  readonly firstDay: string | null;
}

/** Nothing to say once the range is all there. */
function LoadedNote({ history, state, firstDay }: LoadedNoteProps) {
  const { points, loaded, loading } = history;
  const first = points[0]!.day;
  const last = points.at(-1)!.day;
  const from = rangeFrom(history, state);
  const start = from === null || (firstDay !== null && firstDay > from) ? firstDay : from;
  if (!loaded.more || (start !== null && first <= start)) return null;
  const missing = start === null ? null : dayCount(start, first) - 1;
  const requests = missing === null ? null : Math.ceil(missing / loaded.limit);
  return (
    <div class="loaded-note" role="status">
      <p>
        The latest {formatCount(points.length)} {missing !== null && <>of {formatCount(dayCount(start!, last))} </>}
        days of this range are loaded: your key gets {formatCount(loaded.limit)} rows a request.
      </p>
      {loading ? (
        <button type="button" onClick={history.stop}>
          Stop loading
        </button>
      ) : (
        <button type="button" onClick={() => history.loadBackTo(from)}>
          Load the rest
          {requests !== null && `: ${formatCount(requests)} more ${requests === 1 ? 'request' : 'requests'}`}
        </button>
      )}
    </div>
  );
}

// One asset: its price and state, its history as a chart, its indicators, its profile; and how each number was computed.

import { useEffect } from 'preact/hooks';
import { tidemark } from '../api.ts';
import { type ColumnFacts, columnsOf } from '../catalog.ts';
import { asOfDay, goToDay } from '../routes.ts';
import { AsOfBanner } from '../shell/as-of.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useRequest } from '../use-request.ts';
import { AssetHeader } from './asset-header.tsx';
import { AssetProblem } from './asset-problem.tsx';
import { ChartSection } from './chart-section.tsx';
import { ExplainDialog } from './explain-dialog.tsx';
import { explained } from './explained.tsx';
import { dayCount, type HistoryRow } from './history.ts';
import { Indicators } from './indicators.tsx';
import type { Profile } from './profile.ts';
import { ProfileSection } from './profile-section.tsx';
import './asset.css';

/** `id` is a slug, or a ticker that one asset has. */
export default function AssetPage({ id }: { readonly id: string }) {
  const asset = useRequest(id, async signal => {
    const [profile, columns] = await Promise.all([tidemark.profile(id, { signal }), columnsOf('ta-hist')]);
    return { profile, columns };
  });
  if (asset.failure !== null) return <AssetProblem id={id} failure={asset.failure} onRetry={asset.retry} />;
  if (asset.value === null) return <Loading what="the asset" />;
  return <Asset {...asset.value} />;
}

function Asset({ profile, columns }: { readonly profile: Profile; readonly columns: readonly ColumnFacts[] }) {
  const { id, name, symbol } = profile;
  const { value: day } = asOfDay;
  const latest = useRequest(`${id} ${day}`, async signal => {
    const { result } = await tidemark
      .rows<HistoryRow>('ta-hist', { id, limit: 1, incl_cols: 'all', to: day ?? undefined }, { signal })
      .page();
    return result;
  });
  const row = latest.value?.[0] ?? null;
  const first = profile.first_data_at?.slice(0, 10);
  useEffect(() => {
    explained.value = null;
    const before = document.title;
    document.title = `${name} (${symbol}) – Tidemark`;
    return () => {
      document.title = before;
    };
  }, [name, symbol]);
  return (
    <article class="asset">
      <AsOfBanner day={day} onDay={goToDay}>
        {name} as of <strong>{day}</strong>: prices and indicators up to that day. The profile is today’s.
      </AsOfBanner>
      <AssetHeader profile={profile} columns={columns} row={row} />
      {latest.value?.length === 0 && day !== null && (
        <p class="asset-message">
          {name} has no close up to {day}. {first !== undefined && `Its first close is of ${first}.`}
        </p>
      )}
      {latest.failure !== null && <ProblemNotice failure={latest.failure} onRetry={latest.retry} />}
      {latest.failure === null && <ChartSection key={day} profile={profile} columns={columns} to={day} />}
      {row !== null && <Indicators id={id} columns={columns} row={row} closes={closesUpTo(row, profile)} />}
      {/* Not before what stands above it, so that nothing moves under the reader. */}
      {(latest.value !== null || latest.failure !== null) && <ProfileSection profile={profile} />}
      {explained.value !== null && (
        <ExplainDialog key={JSON.stringify(explained.value)} {...explained.value} name={name} columns={columns} />
      )}
    </article>
  );
}

/** Every day from the first close to the row's has one, its own or the one before. */
function closesUpTo(row: HistoryRow, { first_data_at: first }: Profile): number | null {
  return first === null ? null : dayCount(first.slice(0, 10), String(row['datetimeUTC']).slice(0, 10));
}

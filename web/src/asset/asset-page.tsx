// One asset: its price and state, its history as a chart, its indicators, its profile; and how each number was computed.

import { useEffect, useMemo } from 'preact/hooks';
import { tidemark } from '../api.ts';
import { type ColumnFacts, columnsIn, columnsOf } from '../catalog.ts';
import { intervalParam, type ListedInterval, listedInterval, shownInterval } from '../interval.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import { asOfMoment, goToMoment } from '../routes.ts';
import { AsOfBanner, momentText } from '../shell/as-of.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useRequest } from '../use-request.ts';
import { AssetHeader } from './asset-header.tsx';
import { AssetProblem } from './asset-problem.tsx';
import { ChartSection } from './chart-section.tsx';
import { ExplainDialog } from './explain-dialog.tsx';
import { explained } from './explained.tsx';
import { FindingsSection } from './findings-section.tsx';
import { dayCount, type HistoryRow, startOf } from './history.ts';
import { Indicators, numberOf } from './indicators.tsx';
import type { Mark } from './marks.ts';
import type { Profile } from './profile.ts';
import { ProfileSection } from './profile-section.tsx';
import { SourcesSection } from './sources-section.tsx';
import { useMarks } from './use-marks.ts';
import './asset.css';

const NO_MARKS: readonly Mark[] = [];

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

function Asset({ profile, columns: all }: { readonly profile: Profile; readonly columns: readonly ColumnFacts[] }) {
  const { id, name, symbol } = profile;
  const { value: moment } = asOfMoment;
  const interval = listedInterval(shownInterval.value);
  const latest = useRequest(`${id} ${moment} ${interval} ${shownQuote.value}`, async signal => {
    const query = {
      id,
      limit: 1,
      incl_cols: 'all',
      to: moment ?? undefined,
      interval: intervalParam(interval),
      quote: quoteParam(),
    };
    const meta = interval === '1d' ? {} : { meta: true };
    return await tidemark.rows<HistoryRow>('ta-hist', { ...query, ...meta }, { signal }).page();
  });
  const columns = useMemo(
    () => columnsIn(all, interval, latest.value?.metadata ?? null),
    [all, interval, latest.value?.metadata],
  );
  const row = latest.value?.result[0] ?? null;
  const known = useMarks(id, symbol).value ?? NO_MARKS;
  const marks = useMemo(
    () => (moment === null ? known : known.filter(({ start }) => start * 1000 <= Date.parse(moment))),
    [known, moment],
  );
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
      <AsOfBanner moment={moment} onMoment={goToMoment}>
        {name} as of <strong>{moment && momentText(moment)}</strong>: prices and indicators up to that{' '}
        {moment?.includes('T') ? 'time' : 'day'}. The profile is today’s.
      </AsOfBanner>
      <AssetHeader profile={profile} columns={columns} row={row} />
      {latest.value?.result.length === 0 && moment !== null && (
        <p class="asset-message">
          {name} has no close up to {momentText(moment)}. {first !== undefined && `Its first close is of ${first}.`}
        </p>
      )}
      {moment !== null && Date.parse(moment) > Date.now() && (
        <p class="asset-message">{momentText(moment)} has not begun: these are the latest prices.</p>
      )}
      {latest.failure !== null && <ProblemNotice failure={latest.failure} onRetry={latest.retry} />}
      {latest.failure === null && (
        <ChartSection
          key={`${moment} ${shownInterval.value}`}
          profile={profile}
          columns={columns}
          to={moment}
          marks={marks}
        />
      )}
      {latest.value !== null && <FindingsSection marks={marks} />}
      {row !== null && <SourcesSection id={id} interval={interval} start={startOf(row)} />}
      {row !== null && <Indicators id={id} columns={columns} row={row} closes={closesUpTo(row, profile, interval)} />}
      {/* Not before what stands above it, so that nothing moves under the reader. */}
      {(latest.value !== null || latest.failure !== null) && <ProfileSection profile={profile} />}
      {explained.value !== null && (
        <ExplainDialog key={explained.value.opening} {...explained.value} name={name} columns={columns} />
      )}
    </article>
  );
}

/** Every day from the first close to the row's has one, its own or the one before. Of other intervals the row says how many. */
function closesUpTo(row: HistoryRow, { first_data_at: first }: Profile, interval: ListedInterval): number | null {
  if (interval !== '1d') return numberOf(row, 'history');
  return first === null ? null : dayCount(Date.parse(first.slice(0, 10)) / 1000, startOf(row));
}

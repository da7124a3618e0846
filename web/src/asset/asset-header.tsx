// The top of the asset page: which asset it is, in what state, and what it costs.

import { simulated, tidemark } from '../api.ts';
import type { ColumnFacts } from '../catalog.ts';
import { momentOf } from '../day.ts';
import { directionOf, formatLarge, formatPercent, formatPrice } from '../format.ts';
import { intervalParam, isFine, listedInterval, shownInterval } from '../interval.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import { asOfMoment, atSameTime, goToInterval, goToMoment, goToQuote, screenerAddress } from '../routes.ts';
import { AgeOfCloses } from '../shell/age-of-closes.tsx';
import { AsOfField } from '../shell/as-of.tsx';
import { IntervalField } from '../shell/interval-field.tsx';
import { QuoteField } from '../shell/quote-field.tsx';
import { formatPeriod, zoneName } from '../time-form.ts';
import { useRequest } from '../use-request.ts';
import { Explained } from './explained.tsx';
import { type HistoryRow, startOf } from './history.ts';
import { numberOf } from './indicators.tsx';
import type { Profile } from './profile.ts';

interface AssetHeaderProps {
  readonly profile: Profile;
  readonly columns: readonly ColumnFacts[];
  /** Of the latest period; null while it is not there. */
  readonly row: HistoryRow | null;
}

/** The windows that people ask for first, of those that there are. */
const WINDOWS: readonly number[] = [1, 7, 30, 90, 365];

export function AssetHeader({ profile, columns, row }: AssetHeaderProps) {
  const { name, symbol, rank, is_new: isNew, is_active: isActive, message } = profile;
  const { value: asOf } = asOfMoment;
  const interval = listedInterval(shownInterval.value);
  const start = row === null ? 0 : startOf(row) * 1000;
  const at = momentOf(start, interval);
  return (
    <header class="asset-header">
      <div class="asset-top">
        <nav aria-label="Way back">
          <a href={atSameTime(screenerAddress.value)}>← All assets</a>
        </nav>
        <div class="when">
          <IntervalField interval={shownInterval.value} withMonths onInterval={goToInterval} />
          <QuoteField quote={shownQuote.value} onQuote={goToQuote} />
          <AsOfField moment={asOf} onMoment={goToMoment} />
        </div>
      </div>
      <div class="asset-title">
        <h1>
          {name} {name !== symbol && <span class="ticker">{symbol}</span>}
        </h1>
        {rank !== null && (
          <span class="badge" title="By market capitalisation">
            Rank {rank}
          </span>
        )}
        {isNew && <span class="badge">New: first price within 5 days</span>}
        {!isActive && <span class="badge warn">Inactive: no recent close, or delisted</span>}
        {simulated.value && <span class="badge warn">Simulated</span>}
      </div>
      {message !== null && message !== '' && <p class="asset-message">{message}</p>}
      <div class="asset-price">
        {row !== null && (
          <>
            <p class="price">
              <Explained asset={profile.id} column="price" at={at}>
                <span class="number">{formatPrice(numberOf(row, 'price'))}</span>
              </Explained>{' '}
              <span class="note">{shownQuote.value}</span>
            </p>
            <p class="note">
              {isActive || asOf !== null ? 'Close of' : 'Last close:'} {interval !== '1d' && 'the period from '}
              <time dateTime={at}>{formatPeriod(start, interval)}</time> {isFine(interval) ? zoneName(start) : 'UTC'}{' '}
              {asOf === null && interval === '1d' && <AgeOfCloses day={at} />}
            </p>
            <Changes id={profile.id} at={at} columns={columns} row={row} />
            {isActive && asOf === null && <Size id={profile.id} at={at} row={row} />}
          </>
        )}
      </div>
    </header>
  );
}

/** Market capitalisation, from today's supply, and turnover of the period. */
function Size({ id, at, row }: { readonly id: string; readonly at: string; readonly row: HistoryRow }) {
  const interval = intervalParam(listedInterval(shownInterval.value));
  const quote = quoteParam();
  const { value } = useRequest(`${id} ${interval} ${quote}`, signal =>
    tidemark.explain(id, 'market_cap', { interval, quote }, { signal }),
  );
  return (
    <dl class="asset-changes asset-size">
      <div>
        <dt>Market cap</dt>
        <dd class="number">
          <Explained asset={id} column="market_cap" at={null}>
            {formatLarge(typeof value?.value === 'number' ? value.value : null)}
          </Explained>
        </dd>
      </div>
      <div>
        <dt>Turnover</dt>
        <dd class="number">
          <Explained asset={id} column="turnover" at={at}>
            {formatLarge(numberOf(row, 'turnover'))}
          </Explained>
        </dd>
      </div>
    </dl>
  );
}

interface ChangesProps {
  readonly id: string;
  readonly at: string;
  readonly columns: readonly ColumnFacts[];
  readonly row: HistoryRow;
}

function Changes({ id, at, columns, row }: ChangesProps) {
  const shown = columns.filter(({ name, window = 0 }) => name === `change${window}` && WINDOWS.includes(window));
  return (
    <dl class="asset-changes">
      {shown.map(({ name, window = 0, window_text: text }) => {
        const value = numberOf(row, name);
        return (
          <div key={name}>
            <dt>{text?.replace('one', '1') ?? (window === 1 ? '1 day' : `${window} days`)}</dt>
            <dd class={`number ${directionOf(value)}`}>
              <Explained asset={id} column={name} at={at}>
                {formatPercent(value)}
              </Explained>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

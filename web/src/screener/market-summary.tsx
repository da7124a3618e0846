// One line on the whole market, above the screener: how many assets rose and fell in one period, by how much, and its size.

import { useRef } from 'preact/hooks';
import type { TaCurStatsRow } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { directionOf, formatCount, formatLarge, formatPercent } from '../format.ts';
import { intervalParam, labelIn } from '../interval.ts';
import { isAbsent } from '../market-columns.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import { useRequest } from '../use-request.ts';
import type { View } from './view.ts';

interface Summary {
  readonly advancing: number;
  readonly declining: number;
  /** Percent in one period. */
  readonly median: number | null;
  /** In the quote; null if no asset has one. */
  readonly marketCap: number | null;
  readonly turnover: number | null;
}

type Moment = Pick<View, 'asOf' | 'interval'>;

/** The filters of the screen do not matter. `ready`: the rows, which go first, are there. */
export function MarketSummary({ asOf, interval, ready }: Moment & { readonly ready: boolean }) {
  // A new filter does not make the market another one.
  const begun = useRef(false);
  begun.current ||= ready;
  const { value } = useRequest(begun.current ? `market ${asOf} ${interval} ${shownQuote.value}` : null, signal =>
    summaryOf({ asOf, interval }, signal),
  );
  return (
    <section
      class="market-summary"
      aria-label={interval === '1d' ? 'The whole market in one day' : 'The whole market in one period'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls on a phone must be reached by the keyboard
      tabIndex={0}
    >
      <dl>
        {value !== null && (
          <>
            <Figure title="Advancing" text={formatCount(value.advancing)} direction="up" sign="▲" />
            <Figure title="Declining" text={formatCount(value.declining)} direction="down" sign="▼" />
            <Figure
              title={labelIn('Median change 1d', interval)}
              text={formatPercent(value.median)}
              direction={directionOf(value.median)}
            />
            {value.marketCap !== null && (
              <Figure title="Market cap" text={`${formatLarge(value.marketCap)} ${shownQuote.value}`} />
            )}
            {value.turnover !== null && (
              <Figure
                title={labelIn('Turnover 1d', interval)}
                text={`${formatLarge(value.turnover)} ${shownQuote.value}`}
              />
            )}
          </>
        )}
      </dl>
    </section>
  );
}

interface FigureProps {
  readonly title: string;
  readonly text: string;
  readonly direction?: string;
  readonly sign?: string;
}

function Figure({ title, text, direction, sign }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd class={`number ${direction ?? ''}`}>
        {sign && <span aria-hidden="true">{sign} </span>}
        {text}
      </dd>
    </div>
  );
}

/** 1 for a rise, −1 for a fall, null for neither. No computed column of a user is called so. */
const DIRECTION = 'direction_of_change';

async function summaryOf({ asOf, interval }: Moment, signal: AbortSignal): Promise<Summary> {
  const cols = ['change1', DIRECTION];
  // A past day has one if it was recorded by then.
  if (!isAbsent('market_cap')) cols.push('market_cap');
  if (!isAbsent('turnover')) cols.push('turnover');
  const query = {
    as_of: asOf ?? undefined,
    interval: intervalParam(interval),
    quote: quoteParam(),
    calc: `${DIRECTION}:change1 / abs(change1)`,
    ...{ cols: cols.join(), bins: 1, limit: cols.length },
  };
  const { result } = await tidemark.rows<TaCurStatsRow>('ta-cur/stats', query, { signal }).page();
  const of = (name: string) => result.find(({ column }) => column === name);
  const direction = of(DIRECTION);
  const moved = direction === undefined ? 0 : direction.count - direction.nulls;
  const difference = sumOf(direction) ?? 0;
  return {
    advancing: Math.round((moved + difference) / 2),
    declining: Math.round((moved - difference) / 2),
    median: of('change1')?.p50 ?? null,
    marketCap: sumOf(of('market_cap')),
    turnover: sumOf(of('turnover')),
  };
}

function sumOf(row: TaCurStatsRow | undefined): number | null {
  return row === undefined || row.mean === null ? null : row.mean * (row.count - row.nulls);
}

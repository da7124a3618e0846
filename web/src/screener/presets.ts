// Named views of the screener.

import { defaultView, present, TREND, type View } from './view.ts';

export interface Preset {
  readonly name: string;
  /** What it shows, in a sentence. */
  readonly tooltip: string;
  /** Of the view without filters. */
  readonly changes: Partial<View>;
}

function preset(name: string, tooltip: string, changes: Partial<View>): Preset {
  return { name, tooltip, changes };
}

export function presetView({ changes }: Preset): View {
  const view = { ...defaultView(), ...changes };
  return { ...view, columns: present(view.columns) };
}

export const PRESETS: readonly Preset[] = [
  preset('All assets', 'Every active asset, by rank', {}),
  preset('Golden cross', 'On the latest day, the 50-day average crossed the 200-day average from below', {
    where: 'crosses_above(sma50, sma200)',
    minHistory: 200,
    columns: ['rank', 'price', 'change1', 'change7', 'change50', TREND, 'sma50', 'sma200', 'market_cap', 'turnover'],
  }),
  preset('Oversold in an uptrend', 'RSI 14 below 30 while the 50-day average is above the 200-day average', {
    where: 'rsi14 < 30 and sma50 > sma200',
    minHistory: 200,
    sort: 'rsi14',
    order: 'asc',
    columns: ['rank', 'price', 'rsi14', 'change1', 'change7', 'change30', TREND, 'sma50', 'sma200', 'market_cap'],
  }),
  preset('New 365-day highs', 'The latest close is the highest of 365 days', {
    where: 'price >= max365',
    columns: ['rank', 'price', 'change1', 'change7', 'change30', 'change365', TREND, 'from_ath', 'rsi14', 'market_cap'],
  }),
  preset('Most volatile', 'Highest 30-day volatility first', {
    minHistory: 31,
    sort: 'vol30',
    order: 'desc',
    columns: ['rank', 'price', 'vol30', 'vol5', 'vol50', 'change1', 'change7', 'change30', TREND, 'market_cap'],
  }),
  preset('Newcomers', 'Assets with at most 180 days of history, the youngest first', {
    where: 'history <= 180',
    sort: 'history',
    order: 'asc',
    columns: ['history', 'rank', 'price', 'change1', 'change7', 'change30', TREND, 'market_cap', 'turnover', 'vol10'],
  }),
  preset('Biggest drawdown', 'Largest fall from a peak within 365 days first', {
    where: 'mdd365 is not null',
    sort: 'mdd365',
    order: 'asc',
    columns: ['rank', 'price', 'mdd365', 'mdd90', 'mdd30', 'from_ath', 'change365', TREND, 'market_cap', 'turnover'],
  }),
];

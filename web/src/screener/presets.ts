// Named views of the screener.

import { DEFAULT_VIEW, NEWEST, TREND, type View } from './view.ts';

export interface Preset {
  readonly name: string;
  /** What it shows, in a sentence. */
  readonly tooltip: string;
  readonly view: View;
}

function preset(name: string, tooltip: string, changes: Partial<View>): Preset {
  return { name, tooltip, view: { ...DEFAULT_VIEW, ...changes } };
}

export const PRESETS: readonly Preset[] = [
  preset('All assets', 'Every active asset, largest gain of the day first', {}),
  preset('Golden cross', 'The 50-day average is above the 200-day average', {
    where: 'sma50 > sma200',
    minHistory: 200,
    sort: 'change50',
    columns: ['price', TREND, 'sma50', 'sma200', 'change7', 'change50', 'change180', 'vol30'],
  }),
  preset('Most volatile', 'Highest 30-day volatility first', {
    minHistory: 31,
    sort: 'vol30',
    columns: ['price', TREND, 'vol5', 'vol10', 'vol30', 'vol50', 'change1', 'change7', 'change30'],
  }),
  preset('Above all averages', 'The price is above its averages of 5, 20, 50 and 200 days', {
    where: 'price > sma5 and price > sma20 and price > sma50 and price > sma200',
    minHistory: 200,
    sort: 'change30',
    columns: ['price', TREND, 'sma5', 'sma20', 'sma50', 'sma200', 'change1', 'change30', 'change180'],
  }),
  preset('Newcomers', `The ${NEWEST} assets with the shortest history`, {
    newest: true,
    sort: 'change5',
    columns: ['price', TREND, 'change1', 'change5', 'change7', 'change10', 'vol5', 'vol10'],
  }),
];

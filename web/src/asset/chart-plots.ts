// What is drawn for a state of the chart: one plot per curve, with its pane, its colour, and its words for the legend.

import { formatLarge, formatNumber, formatPercent, formatPrice } from '../format.ts';
import { AVERAGES, type ChartState } from './chart-state.ts';
import type { ComparedAsset } from './compare.ts';
import type { HistoryPoint } from './history.ts';

export interface Plot {
  /** Of the column, or the id of a compared asset. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'candles' | 'line' | 'area' | 'histogram' | 'bands';
  readonly pane: number;
  /** CSS custom property. */
  readonly colour: string;
  /** Tells lines of one pane apart without colours: 0 is solid. */
  readonly dash: number;
  readonly read: (point: HistoryPoint) => number | null;
  readonly format: (value: number) => string;
  /** Its numbers have an explanation. */
  readonly explained: boolean;
}

export interface Pane {
  readonly title: string;
  /** Horizontal lines. */
  readonly guides: readonly number[];
}

export interface Picture {
  /** The first one has the price scale and the crosshair. */
  readonly plots: readonly Plot[];
  /** Those below the first. */
  readonly panes: readonly Pane[];
}

/** `compared` has the asset of the page first; empty unless assets are compared. */
export function pictureOf(state: ChartState, compared: readonly ComparedAsset[]): Picture {
  if (compared.length > 0) return { plots: compared.map((asset, i) => comparedPlot(asset, i, state)), panes: [] };
  if (state.style === 'drawdown') {
    const drawdown = column('from_ath', 'Drawdown', '--down', { kind: 'area', format: formatPercent });
    return { plots: [drawdown], panes: [] };
  }
  /** Of a bar of a month, the indicators of its last day are drawn. */
  const daily = state.interval === '1mo' ? ', daily' : '';
  const panes: Pane[] = [];
  const inPane = (title: string, guides: readonly number[] = []) => panes.push({ title, guides });
  const plots: Plot[] = [
    column('price', state.style === 'candles' ? 'Close' : 'Price', '--text', {
      kind: state.style === 'candles' ? 'candles' : 'line',
      read: point => point.price,
    }),
  ];
  if (state.bands) plots.push(column('bb20_upper', `Bollinger${daily}`, '--band', { kind: 'bands' }));
  for (const kind of AVERAGES) {
    for (const [i, window] of state[kind].entries()) {
      const label = `${kind.toUpperCase()} ${window}${daily}`;
      const colour = `--${kind}-${window}`;
      plots.push(column(`${kind}${window}`, label, colour, { dash: i % 3 }));
    }
  }
  if (state.volume) {
    plots.push(column('volume', 'Volume', '--line-strong', { kind: 'histogram', format: formatLarge }));
  }
  if (state.rsi) {
    const pane = inPane(`RSI 14${daily}`, [30, 70]);
    plots.push(column('rsi14', `RSI 14${daily}`, '--curve-1', { pane, format: value => value.toFixed(2) }));
  }
  if (state.macd) {
    const pane = inPane(`MACD 12 26 9${daily}`);
    plots.push(
      column('macd_hist', 'Histogram', '--line-strong', { pane, kind: 'histogram', format: formatNumber }),
      column('macd', `MACD${daily}`, '--curve-1', { pane, format: formatNumber }),
      column('macd_signal', 'Signal', '--curve-2', { pane, dash: 1, format: formatNumber }),
    );
  }
  return { plots, panes };
}

/** Whether bars of months have indicators of days beside them. */
export function hasDailyIndicators(state: ChartState): boolean {
  return (
    state.interval === '1mo' &&
    pictureOf({ ...state, vs: [] }, []).plots.some(({ name }) => !/^(price|volume|from_ath)$/.test(name))
  );
}

/** The columns that a state needs, of those that the history has. */
export function columnsFor(state: ChartState): string[] {
  const drawn = pictureOf({ ...state, vs: [] }, []).plots.map(({ name }) => name);
  const bars = ['open', 'high', 'low', 'volume'];
  return [...new Set(['datetimeUTC', 'price', ...bars, ...drawn, ...(state.bands ? ['bb20_lower'] : [])])];
}

function column(name: string, label: string, colour: string, changes: Partial<Plot> = {}): Plot {
  return {
    ...{ name, label, colour, kind: 'line', pane: 0, dash: 0, format: formatPrice, explained: true },
    read: point => point.values.get(name) ?? null,
    ...changes,
  };
}

function comparedPlot({ id, symbol, values }: ComparedAsset, place: number, { style }: ChartState): Plot {
  return column(id, symbol, `--curve-${place + 1}`, {
    // A rebased price is not a number of the service.
    explained: false,
    read: point => values.get(point.start) ?? null,
    format: style === 'drawdown' ? formatPercent : value => value.toFixed(2),
  });
}

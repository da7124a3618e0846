// One plot as a series of lightweight-charts.

import {
  type AutoscaleInfoProvider,
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LineWidth,
  type SeriesType,
} from 'lightweight-charts';
import { formatNumber, formatPrice } from '../format.ts';
import { type BandOptions, type BandPoint, BandSeries } from './band-series.ts';
import type { Plot } from './chart-plots.ts';
import type { HistoryPoint } from './history.ts';

export const VOLUME_SCALE = 'volume';

/** The value of a CSS custom property, in a form that a canvas takes. */
export type ColourOf = (property: string) => string;

export interface DrawnSeries {
  readonly plot: Plot;
  readonly api: ISeriesApi<SeriesType>;
}

/** Dashes tell lines apart where colours don't. */
const DASHES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted] as const;

export function addPlot(
  chart: IChartApi,
  plot: Plot,
  points: readonly HistoryPoint[],
  colourOf: ColourOf,
  log: boolean,
): DrawnSeries {
  const color = colourOf(plot.colour) || colourOf('--accent');
  const isMain = plot.name === 'price';
  const quiet = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false };
  const shared = { ...quiet, lastValueVisible: isMain, priceFormat: priceFormat(plot, points) };
  const values = () =>
    points.map(point => {
      const value = plot.read(point);
      return value === null ? { time: point.day } : { time: point.day, value };
    });
  switch (plot.kind) {
    case 'candles': {
      const [up, down] = [colourOf('--up'), colourOf('--down')];
      const colours = { upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false };
      const api = chart.addSeries(CandlestickSeries, { ...shared, ...colours });
      api.setData(points.map(candle));
      return { plot, api };
    }
    case 'histogram': {
      const own = plot.name === 'volume' ? { priceScaleId: VOLUME_SCALE } : {};
      const api = chart.addSeries(HistogramSeries, { ...shared, ...own, color }, plot.pane);
      const soft = { up: colourOf('--up-soft'), down: colourOf('--down-soft') };
      api.setData(values().map((bar, i) => ({ ...bar, color: isUp(plot, points[i]!) ? soft.up : soft.down })));
      return { plot, api };
    }
    case 'area': {
      const fill = { bottomFillColor1: 'transparent', bottomFillColor2: colourOf('--down-soft') };
      const lines = { topLineColor: color, bottomLineColor: color, lineWidth: 2 as LineWidth };
      const api = chart.addSeries(BaselineSeries, { ...shared, ...lines, ...fill, baseValue: { price: 0 } });
      api.setData(values());
      return { plot, api };
    }
    case 'bands': {
      const options = { ...shared, color, fill: colourOf('--band-fill') };
      const api = chart.addCustomSeries<BandPoint, BandOptions>(new BandSeries(), options);
      api.applyOptions({ autoscaleInfoProvider: bandScale(log, chart, points) });
      api.setData(points.map(bandPoint));
      return { plot, api };
    }
    case 'line': {
      const look = { lineStyle: DASHES[plot.dash]!, lineWidth: (isMain ? 2 : 1.5) as LineWidth, color };
      const api = chart.addSeries(LineSeries, { ...shared, ...look }, plot.pane);
      api.setData(values());
      return { plot, api };
    }
  }
}

/** A day without a bar of its own is flat. */
function candle({ day, price, values }: HistoryPoint) {
  const partOf = (name: string) => values.get(name) ?? price;
  return { time: day, open: partOf('open'), high: partOf('high'), low: partOf('low'), close: price };
}

function bandPoint({ day, values }: HistoryPoint): BandPoint | { time: string } {
  const [lower, upper] = [values.get('bb20_lower'), values.get('bb20_upper')];
  return lower === undefined || upper === undefined ? { time: day } : { time: day, lower, upper };
}

/** Of a volume, whether the price rose; of anything else, its sign. */
function isUp(plot: Plot, point: HistoryPoint): boolean {
  if (plot.name === 'volume') return point.price >= (point.values.get('open') ?? point.price);
  return (plot.read(point) ?? 0) >= 0;
}

/** The library rounds what it draws to steps: fine enough for the smallest price there is. */
function priceFormat(plot: Plot, points: readonly HistoryPoint[]) {
  const ofPrice = plot.format === formatPrice || plot.format === formatNumber;
  const smallest = Math.min(...points.map(point => point.price));
  const minMove = ofPrice ? 10 ** Math.min(-2, Math.floor(Math.log10(smallest)) - 5) : 0.01;
  // The room below the curves may reach below 0, where no price is.
  const formatter = (value: number) => (plot.format === formatPrice && value < 0 ? '' : plot.format(value));
  const tickmarksFormatter = (values: readonly number[]) => values.map(value => rounded(formatter(value)));
  return { type: 'custom', formatter, tickmarksFormatter, minMove } as const;
}

/** A tick of the scale is a round number: 93,000 rather than 93,000.0. */
function rounded(text: string): string {
  return /\.\d*$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** On a log scale a lower band near or under zero would flatten all the rest, so it may run out of the picture. */
function bandScale(log: boolean, chart: IChartApi, points: readonly HistoryPoint[]): AutoscaleInfoProvider {
  return original => {
    const info = original();
    const range = chart.timeScale().getVisibleLogicalRange();
    if (!log || info?.priceRange == null || range === null) return info;
    const inSight = points.slice(Math.max(0, Math.ceil(range.from)), Math.floor(range.to) + 1);
    const floor = Math.min(...inSight.map(point => point.price)) / 1.2;
    const { minValue, maxValue } = info.priceRange;
    return { ...info, priceRange: { minValue: Math.max(minValue, floor), maxValue } };
  };
}

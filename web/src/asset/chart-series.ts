// One plot as a series of lightweight-charts.

import {
  type AutoscaleInfoProvider,
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApiBase,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LineWidth,
  type SeriesType,
  type Time,
  type UTCTimestamp,
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
  /** Gives it other points. */
  readonly fill: (points: readonly HistoryPoint[]) => void;
}

/** Dashes tell lines apart where colours don't. */
const DASHES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted] as const;

/** The time of a point, as the library takes it. */
export function timeOf({ start }: HistoryPoint): UTCTimestamp {
  return start as UTCTimestamp; // seconds since 1970
}

export function addPlot(chart: IChartApiBase<Time>, plot: Plot, colourOf: ColourOf, log: boolean): DrawnSeries {
  const color = colourOf(plot.colour) || colourOf('--accent');
  const isMain = plot.name === 'price';
  const quiet = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false };
  const shared = { ...quiet, lastValueVisible: isMain };
  const dataOf = (point: HistoryPoint) => {
    const value = plot.read(point);
    return value === null ? { time: timeOf(point) } : { time: timeOf(point), value };
  };
  switch (plot.kind) {
    case 'candles': {
      const [up, down] = [colourOf('--up'), colourOf('--down')];
      const colours = { upColor: up, wickUpColor: up, downColor: down, wickDownColor: down, borderVisible: false };
      const api = chart.addSeries(CandlestickSeries, { ...shared, ...colours });
      return filled(plot, api, points => api.setData(points.map(candle)));
    }
    case 'histogram': {
      const own = plot.name === 'volume' ? { priceScaleId: VOLUME_SCALE } : {};
      const api = chart.addSeries(HistogramSeries, { ...shared, ...own, color }, plot.pane);
      const soft = { up: colourOf('--up-soft'), down: colourOf('--down-soft') };
      const barOf = (point: HistoryPoint) => ({ ...dataOf(point), color: isUp(plot, point) ? soft.up : soft.down });
      return filled(plot, api, points => api.setData(points.map(barOf)));
    }
    case 'area': {
      const fill = { bottomFillColor1: 'transparent', bottomFillColor2: colourOf('--down-soft') };
      const lines = { topLineColor: color, bottomLineColor: color, lineWidth: 2 as LineWidth };
      const api = chart.addSeries(BaselineSeries, { ...shared, ...lines, ...fill, baseValue: { price: 0 } });
      return filled(plot, api, points => api.setData(points.map(dataOf)));
    }
    case 'bands': {
      const options = { ...shared, color, fill: colourOf('--band-fill') };
      const api = chart.addCustomSeries<BandPoint, BandOptions>(new BandSeries(), options);
      return filled(plot, api, points => {
        api.applyOptions({ autoscaleInfoProvider: bandScale(log, chart, points) });
        api.setData(points.map(bandPoint));
      });
    }
    case 'line': {
      const look = { lineStyle: DASHES[plot.dash]!, lineWidth: (isMain ? 2 : 1.5) as LineWidth, color };
      const api = chart.addSeries(LineSeries, { ...shared, ...look }, plot.pane);
      return filled(plot, api, points => api.setData(points.map(dataOf)));
    }
  }
}

function filled(
  plot: Plot,
  api: ISeriesApi<SeriesType>,
  setData: (points: readonly HistoryPoint[]) => void,
): DrawnSeries {
  return {
    plot,
    api,
    fill: points => {
      api.applyOptions({ priceFormat: priceFormat(plot, points) });
      setData(points);
    },
  };
}

/** A period without a bar of its own is flat. */
function candle(point: HistoryPoint) {
  const { price, values } = point;
  const partOf = (name: string) => values.get(name) ?? price;
  return { time: timeOf(point), open: partOf('open'), high: partOf('high'), low: partOf('low'), close: price };
}

function bandPoint(point: HistoryPoint): BandPoint | { time: UTCTimestamp } {
  const [lower, upper] = [point.values.get('bb20_lower'), point.values.get('bb20_upper')];
  return lower === undefined || upper === undefined ? { time: timeOf(point) } : { time: timeOf(point), lower, upper };
}

/** Of a volume, whether the price rose; of anything else, its sign. */
function isUp(plot: Plot, point: HistoryPoint): boolean {
  if (plot.name === 'volume') return point.price >= (point.values.get('open') ?? point.price);
  return (plot.read(point) ?? 0) >= 0;
}

/** The library rounds what it draws to steps: fine enough for the smallest price there is. */
function priceFormat(plot: Plot, points: readonly HistoryPoint[]) {
  const ofPrice = plot.format === formatPrice || plot.format === formatNumber;
  const smallest = lowestPrice(points);
  const minMove = ofPrice ? 10 ** Math.min(-2, Math.floor(Math.log10(smallest)) - 5) : 0.01;
  // The room below the curves may reach below 0, where no price is.
  const formatter = (value: number) => (plot.format === formatPrice && value < 0 ? '' : plot.format(value));
  const tickmarksFormatter = (values: readonly number[]) => values.map(value => rounded(formatter(value)));
  return { type: 'custom', formatter, tickmarksFormatter, minMove } as const;
}

function lowestPrice(points: readonly HistoryPoint[]): number {
  return points.reduce((lowest, { price }) => Math.min(lowest, price), Number.POSITIVE_INFINITY);
}

/** A tick of the scale is a round number: 93,000 rather than 93,000.0. */
function rounded(text: string): string {
  return /\.\d*$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** On a log scale a lower band near or under zero would flatten all the rest, so it may run out of the picture. */
function bandScale(log: boolean, chart: IChartApiBase<Time>, points: readonly HistoryPoint[]): AutoscaleInfoProvider {
  return original => {
    const info = original();
    const range = chart.timeScale().getVisibleLogicalRange();
    if (!log || info?.priceRange == null || range === null) return info;
    const inSight = points.slice(Math.max(0, Math.ceil(range.from)), Math.floor(range.to) + 1);
    const floor = lowestPrice(inSight) / 1.2;
    const { minValue, maxValue } = info.priceRange;
    return { ...info, priceRange: { minValue: Math.max(minValue, floor), maxValue } };
  };
}

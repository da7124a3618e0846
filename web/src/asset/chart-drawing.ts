// Draws the history with lightweight-charts: the price, the moving averages and the Bollinger bands.
//
// The library's own logo is off because it adds a <style> element, which the Content-Security-Policy forbids; the page
// credits TradingView in words instead, as the licence asks.

import {
  type AutoscaleInfoProvider,
  ColorType,
  CrosshairMode,
  type CustomSeriesWhitespaceData,
  createChart,
  type DeepPartial,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type SeriesOptionsCommon,
  type Time,
} from 'lightweight-charts';
import { formatPrice } from '../format.ts';
import { type BandOptions, type BandPoint, BandSeries } from './band-series.ts';
import { type ChartState, firstInRange } from './chart-state.ts';
import type { HistoryPoint } from './history.ts';

/** Colours in a form that a canvas takes. */
export interface ChartColours {
  readonly text: string;
  readonly grid: string;
  readonly crosshair: string;
  readonly price: string;
  readonly band: string;
  readonly bandFill: string;
  average(window: number): string;
}

/** Dashes tell averages apart where colours don't. */
const STYLES = [LineStyle.Dashed, LineStyle.Dotted, LineStyle.Solid] as const;

type BandsApi = ISeriesApi<
  'Custom',
  Time,
  BandPoint | CustomSeriesWhitespaceData<Time>,
  BandOptions,
  DeepPartial<BandOptions & SeriesOptionsCommon>
>;

export class ChartDrawing {
  readonly #chart: IChartApi;
  readonly #price: ISeriesApi<'Line'>;
  readonly #bands: BandsApi;
  readonly #averages = new Map<number, ISeriesApi<'Line'>>();
  #points: readonly HistoryPoint[] = [];

  /** `onHover` gets the day under the crosshair, null when it leaves. */
  constructor(element: HTMLElement, onHover: (day: string | null) => void) {
    this.#chart = createChart(element, {
      autoSize: true,
      layout: { attributionLogo: false, background: { type: ColorType.Solid, color: 'transparent' }, fontSize: 12 },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.06, bottom: 0.06 } },
      timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true, minBarSpacing: 0.01 },
      crosshair: { mode: CrosshairMode.Normal },
      // The wheel and a vertical swipe scroll the page.
      handleScroll: { mouseWheel: false, vertTouchDrag: false },
      handleScale: { mouseWheel: false, axisPressedMouseMove: { price: false } },
      localization: {
        locale: 'en-US',
        dateFormat: 'yyyy-MM-dd',
        priceFormatter: formatPrice,
        tickmarksPriceFormatter: (prices: readonly number[]) => prices.map(roundPrice),
      },
    });
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false };
    this.#bands = this.#chart.addCustomSeries<BandPoint, BandOptions>(new BandSeries(), quiet);
    this.#price = this.#chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false });
    this.#chart.subscribeCrosshairMove(({ logical }) => {
      onHover(logical === undefined ? null : (this.#points[Math.round(logical)]?.day ?? null));
    });
  }

  remove(): void {
    this.#chart.remove();
  }

  paint(colours: ChartColours): void {
    this.#chart.applyOptions({
      layout: { textColor: colours.text },
      grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
      crosshair: {
        vertLine: { color: colours.crosshair, labelBackgroundColor: colours.crosshair },
        horzLine: { color: colours.crosshair, labelBackgroundColor: colours.crosshair },
      },
    });
    this.#price.applyOptions({ color: colours.price });
    this.#bands.applyOptions({ color: colours.band, fill: colours.bandFill });
    for (const [window, series] of this.#averages) series.applyOptions({ color: colours.average(window) });
  }

  /** Draws these points as the state says. */
  draw(points: readonly HistoryPoint[], state: ChartState, colours: ChartColours): void {
    this.#points = points;
    this.#drawAverages(state.averages);
    this.#setPriceFormat();
    this.#price.setData(points.map(({ day, price }) => ({ time: day, value: price })));
    this.#bands.setData(points.map(({ day, bands }) => (bands === null ? { time: day } : { time: day, ...bands })));
    for (const [window, series] of this.#averages) {
      series.setData(
        points.map(({ day, averages }) => {
          const value = averages.get(window);
          return value === undefined ? { time: day } : { time: day, value };
        }),
      );
    }
    this.#bands.applyOptions({ visible: state.bands, autoscaleInfoProvider: this.#bandScale(state.log) });
    const mode = state.log ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#chart.priceScale('right').applyOptions({ mode, autoScale: true });
    this.paint(colours);
    this.#showRange(state);
  }

  /** Puts the crosshair on a point, as the pointer would. */
  point(point: HistoryPoint | null): void {
    if (point === null) this.#chart.clearCrosshairPosition();
    else this.#chart.setCrosshairPosition(point.price, point.day, this.#price);
  }

  #drawAverages(windows: readonly number[]): void {
    for (const [window, series] of this.#averages) {
      if (windows.includes(window)) continue;
      this.#chart.removeSeries(series);
      this.#averages.delete(window);
    }
    const known = [...(this.#points[0]?.averages.keys() ?? [])];
    for (const window of windows) {
      const options = { lineStyle: STYLES[known.indexOf(window) % STYLES.length] ?? LineStyle.Solid };
      const series = this.#averages.get(window);
      if (series !== undefined) series.applyOptions(options);
      else this.#averages.set(window, this.#newAverage(options));
    }
  }

  #newAverage(options: { readonly lineStyle: LineStyle }): ISeriesApi<'Line'> {
    return this.#chart.addSeries(LineSeries, {
      ...options,
      lineWidth: 2,
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
    });
  }

  /** The library rounds what it draws to steps: fine enough for the smallest price there is. */
  #setPriceFormat(): void {
    const smallest = Math.min(...this.#points.map(point => point.price));
    const minMove = 10 ** Math.min(-2, Math.floor(Math.log10(smallest)) - 5);
    const format = { priceFormat: { type: 'custom', formatter: formatPrice, minMove } } as const;
    for (const series of [this.#price, this.#bands, ...this.#averages.values()]) series.applyOptions(format);
  }

  /** On a log scale a lower band near or under zero would flatten all the rest, so it may run out of the picture. */
  #bandScale(log: boolean): AutoscaleInfoProvider {
    return original => {
      const info = original();
      if (!log || info?.priceRange == null) return info;
      const floor = Math.min(...this.#inView().map(point => point.price)) / 1.2;
      const { minValue, maxValue } = info.priceRange;
      return { ...info, priceRange: { minValue: Math.max(minValue, floor), maxValue } };
    };
  }

  #inView(): readonly HistoryPoint[] {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return range === null ? [] : this.#points.slice(Math.max(0, Math.ceil(range.from)), Math.floor(range.to) + 1);
  }

  #showRange({ range }: ChartState): void {
    const last = this.#points.length - 1;
    if (last < 0) return;
    const first = firstInRange(this.#points, range);
    // One point alone has no width of its own to fill.
    this.#chart.timeScale().setVisibleLogicalRange({ from: Math.min(first, last - 1), to: last });
  }
}

/** A tick of the scale is a round number: 93 000 rather than 93 000.0. */
function roundPrice(price: number): string {
  const text = formatPrice(price);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

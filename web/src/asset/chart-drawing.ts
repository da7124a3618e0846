// Draws a picture with lightweight-charts: candles or lines, volume, panes below; it can be zoomed and moved.
//
// The library's own logo is off because it adds a <style> element, which the Content-Security-Policy forbids; the page
// credits TradingView in words instead, as the licence asks.

import {
  ColorType,
  CrosshairMode,
  createChartEx,
  createSeriesMarkers,
  createTextWatermark,
  type IChartApiBase,
  LineStyle,
  type Logical,
  type LogicalRange,
  type MouseEventParams,
  PriceScaleMode,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Picture } from './chart-plots.ts';
import { addPlot, type ColourOf, type DrawnSeries, timeOf, VOLUME_SCALE } from './chart-series.ts';
import { type HistoryPoint, placeOf } from './history.ts';
import type { Mark } from './marks.ts';
import { timeAxis, timeLabels } from './time-axis.ts';

export interface ChartEvents {
  /** Start of the period under the crosshair, null when it leaves. */
  onHover(start: number | null): void;
  onClick(start: number): void;
  /** The first and the last point in sight. */
  onVisible(first: number, last: number): void;
  /** The user has moved to where there are few older points left. */
  onNearStart(): void;
}

export interface Frame {
  readonly log: boolean;
  /** Of the first point in sight when it is drawn for the first time. */
  readonly first: number;
  /** Periods have a time of day. */
  readonly fine: boolean;
  /** While this stays the same, a part that was zoomed or moved to stays in sight, also when older periods arrive. */
  readonly key: string;
}

/** Points in sight when it is zoomed in as far as it goes. */
const FEWEST_IN_SIGHT = 8;
/** The height of a pane below, the first one being 1. */
const PANE_SHARE = 0.32;

/** From so many points on, several of them that share a pixel are drawn as one. */
const MANY_POINTS = 10_000;
/** Older points are wanted when fewer than this share of those in sight are left. */
const NEAR_START = 0.5;

export class ChartDrawing {
  readonly #chart: IChartApiBase<Time>;
  #series: readonly DrawnSeries[] = [];
  #titles: { detach(): void }[] = [];
  #marks: { detach(): void } | null = null;
  #picture: Picture | null = null;
  /** What the series look like, besides the picture. */
  #look = '';
  #points: readonly HistoryPoint[] = [];
  #key = '';
  /** Where the chosen range begins. */
  #first = 0;
  /** The user has zoomed or moved away from the chosen range. */
  #isMoved = false;
  /** Start of the period that the keyboard has put the crosshair on. */
  #pointed: number | null = null;
  /** The crosshair is put there once there are bars in sight. */
  #isWaiting = false;

  constructor(element: HTMLElement, events: ChartEvents) {
    this.#chart = createChartEx(element, timeAxis(), {
      autoSize: true,
      layout: { attributionLogo: false, background: { type: ColorType.Solid, color: 'transparent' }, fontSize: 12 },
      // A label that is cut in two by the edge of its pane would touch those of the next one.
      rightPriceScale: { borderVisible: false, entireTextOnly: true },
      timeScale: {
        borderVisible: false,
        fixLeftEdge: true,
        fixRightEdge: true,
        minBarSpacing: 0.01,
        // Longer prices beside the chart make it narrower: the chosen range stays whole.
        lockVisibleTimeRangeOnResize: true,
      },
      crosshair: { mode: CrosshairMode.Normal },
      // The plain wheel and a vertical swipe scroll the page.
      handleScroll: { mouseWheel: false, vertTouchDrag: false },
      handleScale: { mouseWheel: false, axisPressedMouseMove: { price: false } },
      localization: { locale: 'en-US', dateFormat: 'yyyy-MM-dd' },
    });
    const startOf = ({ logical }: MouseEventParams) =>
      logical === undefined ? null : (this.#points[Math.round(logical)]?.start ?? null);
    this.#chart.subscribeCrosshairMove(param => {
      const start = startOf(param);
      // The library keeps the pixel of the crosshair. If a range that was set before is applied a frame later, another bar is there.
      if (param.sourceEvent === undefined && this.#pointed !== null) {
        if (start !== this.#pointed) this.#pointAgain();
        return;
      }
      this.#pointed = null;
      events.onHover(start);
    });
    this.#chart.subscribeClick(param => {
      const start = startOf(param);
      if (start !== null) events.onClick(start);
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(range => {
      if (range === null) return;
      if (this.#isWaiting) this.#pointAgain();
      const last = this.#points.length - 1;
      // The library fits bars to pixels, which moves the edge of many bars by a few.
      const isWhole = Math.abs(range.from - this.#first) <= 1 + (range.to - range.from) / 200;
      const first = isWhole ? this.#first : Math.max(0, Math.round(range.from));
      events.onVisible(first, Math.min(last, Math.round(range.to)));
      if (this.#isMoved && range.from < (range.to - range.from) * NEAR_START) events.onNearStart();
    });
    const onDrag = () => {
      this.#isMoved = true;
    };
    element.addEventListener('pointermove', ({ buttons }) => buttons !== 0 && onDrag());
    element.addEventListener('touchmove', onDrag, { passive: true });
    element.addEventListener('wheel', event => this.#onWheel(event), { passive: false });
  }

  remove(): void {
    this.#chart.remove();
  }

  /** Above the bars: findings as dots, actions as flags. */
  mark(marks: ReadonlyMap<number, readonly Mark[]>, colourOf: ColourOf): void {
    this.#marks?.detach();
    const main = this.#series[0];
    const markers = [...marks]
      .sort(([a], [b]) => a - b)
      .map(([start, own]) => {
        const isAction = own.some(({ kind }) => kind === 'action');
        return {
          time: start as UTCTimestamp, // the start of a point
          position: 'aboveBar' as const,
          shape: isAction ? ('arrowDown' as const) : ('circle' as const),
          color: colourOf(isAction ? '--accent' : '--star'),
          size: 0.8,
        };
      });
    this.#marks = main === undefined || markers.length === 0 ? null : createSeriesMarkers(main.api, markers);
  }

  draw(points: readonly HistoryPoint[], picture: Picture, frame: Frame, colourOf: ColourOf): void {
    const inSight = frame.key === this.#key && this.#isMoved ? this.#movedTo(points) : null;
    this.#points = points;
    this.#key = frame.key;
    const look = `${frame.log} ${colourOf('--text')} ${colourOf('--up')}`;
    const isOther = picture !== this.#picture || look !== this.#look;
    if (isOther) this.#replaceSeries(picture, frame, colourOf);
    [this.#picture, this.#look] = [picture, look];
    this.#chart.applyOptions(timeLabels(frame.fine));
    this.#chart.timeScale().applyOptions({ enableConflation: points.length > MANY_POINTS });
    for (const series of this.#series) series.fill(points);
    if (isOther) this.#arrange(picture, frame, colourOf);
    this.#first = frame.first;
    if (inSight === null) this.reset();
    else this.#chart.timeScale().setVisibleLogicalRange(inSight);
    this.#pointAgain();
  }

  #pointAgain(): void {
    const pointed = this.#pointed === null ? undefined : this.#points[placeOf(this.#points, this.#pointed)];
    if (pointed !== undefined && pointed.start === this.#pointed) this.point(pointed);
  }

  #replaceSeries({ plots }: Picture, { log }: Frame, colourOf: ColourOf): void {
    // The library removes a pane with its last series, so that another pane, with its title, may become the first.
    for (const title of this.#titles.splice(0)) title.detach();
    this.#marks?.detach();
    this.#marks = null;
    for (const { api } of this.#series) this.#chart.removeSeries(api);
    this.#series = plots.map(plot => addPlot(this.#chart, plot, colourOf, log));
  }

  /** What is in sight, as places among the new points. */
  #movedTo(points: readonly HistoryPoint[]): LogicalRange | null {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const oldest = this.#points[0]?.start ?? Number.NaN;
    const older = placeOf(points, oldest);
    if (range === null || points[older]?.start !== oldest) return null;
    return { from: (range.from + older) as Logical, to: (range.to + older) as Logical }; // places stay places
  }

  /** Puts the crosshair on a point, as the pointer would. */
  point(point: HistoryPoint | null): void {
    this.#pointed = point?.start ?? null;
    this.#isWaiting = false;
    const main = this.#series[0];
    const value = point === null ? null : (main?.plot.read(point) ?? null);
    if (point === null || value === null || main === undefined) this.#chart.clearCrosshairPosition();
    // The library throws as long as no bar is in sight, because a range that was set is applied a frame later.
    else if (main.api.priceToCoordinate(value) === null) this.#isWaiting = true;
    else this.#chart.setCrosshairPosition(value, timeOf(point), main.api);
  }

  /** `factor` below 1 shows less; `centre` is from 0 to 1. */
  zoom(factor: number, centre = 0.5): void {
    this.#show((from, to) => {
      const width = Math.min(this.#points.length - 1, Math.max(FEWEST_IN_SIGHT, (to - from) * factor));
      const start = from + (to - from - width) * centre;
      return [start, start + width];
    });
  }

  /** By a share of what is in sight; negative towards the past. */
  pan(share: number): void {
    this.#show((from, to) => [from + (to - from) * share, to + (to - from) * share]);
  }

  /** Moves as little as shows this point. */
  reveal(index: number): void {
    this.#show((from, to) => {
      const shift = index < from ? index - from : index > to ? index - to : 0;
      return [from + shift, to + shift];
    });
  }

  /** Shows the chosen range. */
  reset(): void {
    this.#isMoved = false;
    const last = this.#points.length - 1;
    // One point alone has no width of its own to fill.
    this.#chart.timeScale().setVisibleLogicalRange({ from: Math.min(this.#first, last - 1), to: last });
  }

  #show(change: (from: number, to: number) => readonly [number, number]): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range === null) return;
    const [from, to] = change(range.from, range.to);
    const last = this.#points.length - 1;
    const shift = Math.max(0, -from) - Math.max(0, to - last);
    // A range that was set before this frame is not replaced by the one that is still in sight.
    if (from + shift === range.from && to + shift === range.to) return;
    this.#isMoved = true;
    this.#chart.timeScale().setVisibleLogicalRange({ from: from + shift, to: to + shift });
  }

  /** With Ctrl (also a pinch on a touchpad) it zooms; sideways it moves. */
  #onWheel(event: WheelEvent): void {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !event.metaKey && !sideways) return;
    event.preventDefault();
    const width = this.#chart.timeScale().width();
    if (sideways) this.pan(event.deltaX / width);
    else this.zoom(Math.exp(event.deltaY / 300), Math.min(1, event.offsetX / width));
  }

  #arrange({ plots, panes }: Picture, { log }: Frame, colourOf: ColourOf): void {
    const grid = colourOf('--line');
    const strong = colourOf('--line-strong');
    const mark = { color: strong, labelBackgroundColor: strong };
    this.#chart.applyOptions({
      layout: {
        textColor: colourOf('--muted'),
        panes: { separatorColor: grid, separatorHoverColor: grid, enableResize: false },
      },
      grid: { vertLines: { color: grid }, horzLines: { color: grid } },
      crosshair: { vertLine: mark, horzLine: mark },
    });
    const volume = plots.some(({ name }) => name === 'volume');
    const mode = log ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    const scaleMargins = { top: 0.06, bottom: volume ? 0.2 : 0.06 };
    this.#chart.priceScale('right').applyOptions({ mode, autoScale: true, scaleMargins });
    if (volume) this.#chart.priceScale(VOLUME_SCALE).applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    for (const [i, pane] of panes.entries()) {
      const api = this.#chart.panes()[i + 1]!;
      api.setStretchFactor(PANE_SHARE);
      api.priceScale('right').applyOptions({ scaleMargins: { top: 0.12, bottom: 0.12 } });
      const title = { text: pane.title, color: colourOf('--muted'), fontSize: 11 };
      this.#titles.push(createTextWatermark(api, { horzAlign: 'left', vertAlign: 'top', lines: [title] }));
      const series = this.#series.find(({ plot }) => plot.pane === i + 1);
      for (const price of pane.guides) {
        series?.api.createPriceLine({ price, color: strong, lineWidth: 1, lineStyle: LineStyle.Dotted, title: '' });
      }
    }
    this.#chart.panes()[0]?.setStretchFactor(1);
  }
}

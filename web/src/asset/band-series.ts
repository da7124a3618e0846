// The Bollinger bands as a series of the chart: both lines and the area between them.

import {
  type CustomBarItemData,
  type CustomData,
  type CustomSeriesOptions,
  type CustomSeriesPricePlotValues,
  type CustomSeriesWhitespaceData,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type PriceToCoordinateConverter,
  type Time,
} from 'lightweight-charts';

export interface BandPoint extends CustomData<Time> {
  readonly lower: number;
  readonly upper: number;
}

export interface BandOptions extends CustomSeriesOptions {
  readonly fill: string;
}

type RenderingTarget = Parameters<ICustomSeriesPaneRenderer['draw']>[0];

export class BandSeries implements ICustomSeriesPaneView<Time, BandPoint, BandOptions> {
  #bars: readonly CustomBarItemData<Time, BandPoint>[] = [];
  #visible: { readonly from: number; readonly to: number } | null = null;
  #options: BandOptions = this.defaultOptions();

  renderer(): ICustomSeriesPaneRenderer {
    return { draw: (target, toY) => this.#draw(target, toY) };
  }

  update(data: PaneRendererCustomData<Time, BandPoint>, options: BandOptions): void {
    this.#bars = data.bars;
    this.#visible = data.visibleRange;
    this.#options = options;
  }

  priceValueBuilder(point: BandPoint): CustomSeriesPricePlotValues {
    return [point.lower, point.upper];
  }

  isWhitespace(point: BandPoint | CustomSeriesWhitespaceData<Time>): point is CustomSeriesWhitespaceData<Time> {
    return !('upper' in point);
  }

  defaultOptions(): BandOptions {
    return { ...customSeriesDefaultOptions, fill: 'transparent' };
  }

  #draw(target: RenderingTarget, toY: PriceToCoordinateConverter): void {
    if (this.#visible === null) return;
    const bars = this.#bars.slice(Math.floor(this.#visible.from), Math.ceil(this.#visible.to) + 1);
    const upper = line(bars, point => toY(point.upper));
    const lower = line(bars, point => toY(point.lower));
    target.useMediaCoordinateSpace(({ context }) => {
      context.lineJoin = 'round';
      context.fillStyle = this.#options.fill;
      context.beginPath();
      trace(context, [...upper, ...lower.toReversed()]);
      context.fill();
      context.strokeStyle = this.#options.color;
      context.lineWidth = 1;
      for (const edge of [upper, lower]) {
        context.beginPath();
        trace(context, edge);
        context.stroke();
      }
    });
  }
}

type Place = readonly [x: number, y: number];

function line(bars: readonly CustomBarItemData<Time, BandPoint>[], yOf: (point: BandPoint) => number | null): Place[] {
  return bars.map(bar => [bar.x, yOf(bar.originalData) ?? 0]);
}

function trace(context: CanvasRenderingContext2D, places: readonly Place[]): void {
  for (const [x, y] of places) context.lineTo(x, y);
}

// The chart with its legend and its words. With the keyboard it is a slider over the periods, which can also be zoomed and moved.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isFine } from '../interval.ts';
import { greenRed } from '../shell/direction-colours.ts';
import { theme } from '../shell/theme.ts';
import { formatPeriod } from '../time-form.ts';
import { ChartDrawing } from './chart-drawing.ts';
import { ChartLegend } from './chart-legend.tsx';
import { type Picture, pictureOf } from './chart-plots.ts';
import { type ChartState, firstInRange } from './chart-state.ts';
import { describePeriod, readingsOf } from './chart-words.ts';
import type { ComparedAsset } from './compare.ts';
import { type HistoryPoint, placeOf } from './history.ts';
import { type Mark, marksByPoint } from './marks.ts';

interface PriceChartProps {
  readonly id: string;
  readonly name: string;
  readonly points: readonly HistoryPoint[];
  readonly state: ChartState;
  /** With the asset itself first; empty unless assets are compared. */
  readonly compared: readonly ComparedAsset[];
  readonly marks: readonly Mark[];
  /** Older points are on their way. */
  readonly loading: boolean;
  /** The user has moved near the oldest point. */
  readonly onNearStart: () => void;
}

export default function PriceChart({
  id,
  name,
  points,
  state,
  compared,
  marks,
  loading,
  onNearStart,
}: PriceChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<ChartDrawing | null>(null);
  /** Starts of periods rather than places, which move when older ones arrive. */
  const [at, setAt] = useState<number | null>(null);
  const [pinned, setPinned] = useState<number | null>(null);
  const nearStart = useRef(onNearStart);
  nearStart.current = onNearStart;
  const { interval } = state;
  const picture = useMemo<Picture>(() => pictureOf(state, compared), [state, compared]);
  const byPoint = useMemo(() => marksByPoint(points, marks), [points, marks]);
  const start = firstInRange(points, state.range);
  const [inSight, setInSight] = useState<readonly [number, number]>([start, points.length - 1]);

  // Before the page is painted, so that no click comes before there is a chart to zoom.
  useLayoutEffect(() => {
    const made = new ChartDrawing(element.current!, {
      onHover: setAt,
      onClick: start => setPinned(before => (before === start ? null : start)),
      onVisible: (first, last) => setInSight([first, last]),
      onNearStart: () => nearStart.current(),
    });
    drawing.current = made;
    return () => made.remove();
  }, []);
  useLayoutEffect(() => {
    const style = getComputedStyle(element.current!);
    const log = state.log && state.style !== 'drawdown';
    const frame = { log, first: start, fine: isFine(interval), key: `${state.range} ${interval}` };
    drawing.current?.draw(points, picture, frame, property => style.getPropertyValue(property).trim());
    drawing.current?.mark(compared.length > 0 ? new Map() : byPoint, property =>
      style.getPropertyValue(property).trim(),
    );
  }, [points, picture, byPoint, theme.value, greenRed.value]);

  const last = points.length - 1;
  const wanted = at ?? pinned;
  const place = wanted === null ? -1 : placeOf(points, wanted);
  const shown = points[place]?.start === wanted ? place : last;
  const point = points[shown];
  const readings = point === undefined ? [] : readingsOf(point, picture.plots);
  const [first, end] = [inSight[0], Math.min(inSight[1], last)];
  const words = useMemo(() => describePeriod(points.slice(first, end + 1), interval), [points, first, end, interval]);

  function moveTo(index: number | null): void {
    const goal = index === null ? null : Math.max(0, Math.min(last, index));
    const target = goal === null ? undefined : points[goal];
    setAt(target?.start ?? null);
    if (goal !== null) drawing.current?.reveal(goal);
    drawing.current?.point(target ?? null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (event.shiftKey && step !== undefined) drawing.current?.pan(Math.sign(step) / 10);
    else if (step !== undefined) moveTo(shown + step);
    else if (event.key === 'Home') moveTo(first);
    else if (event.key === 'End') moveTo(last);
    else if (event.key === '+' || event.key === '=') drawing.current?.zoom(0.8);
    else if (event.key === '-') drawing.current?.zoom(1.25);
    else if (event.key === '0') drawing.current?.reset();
    else if (event.key === 'Enter' && point !== undefined) setPinned(pinned === point.start ? null : point.start);
    else if (event.key === 'Escape') setPinned(null);
    else return;
    event.preventDefault();
  }

  return (
    <figure class="chart">
      <div class="chart-top">
        <ChartLegend
          id={id}
          interval={interval}
          point={point}
          readings={readings}
          pinned={pinned !== null && point?.start === pinned}
          onUnpin={() => setPinned(null)}
        />
        <fieldset class="zoom">
          <legend class="visually-hidden">Zoom</legend>
          <button type="button" aria-label="Zoom out" onClick={() => drawing.current?.zoom(1.5)}>
            −
          </button>
          <button type="button" aria-label="Zoom in" onClick={() => drawing.current?.zoom(1 / 1.5)}>
            +
          </button>
          <button type="button" onClick={() => drawing.current?.reset()}>
            Reset
          </button>
        </fieldset>
      </div>
      {point !== undefined && byPoint.has(point.start) && (
        <p class="chart-marks">
          {byPoint.get(point.start)!.map(mark => (
            <span key={`${mark.name} ${mark.start}`}>
              <span class={`review-mark ${mark.kind}`}>{mark.name}</span> {mark.text}{' '}
            </span>
          ))}
        </p>
      )}
      <div class="chart-stage">
        <div
          ref={element}
          class={`chart-canvas panes-${picture.panes.length}`}
          role="slider"
          tabIndex={0}
          aria-label={`Price of ${name}, ${interval === '1d' ? 'day by day' : 'period by period'}`}
          aria-valuemin={first}
          aria-valuemax={last}
          aria-valuenow={shown}
          aria-valuetext={[
            point && formatPeriod(point.start * 1000, interval),
            ...readings.map(({ label, text }) => `${label} ${text}`),
          ].join(', ')}
          onKeyDown={onKeyDown}
          onBlur={() => moveTo(null)}
        />
        {loading && (
          <span class="badge loading-older" role="status">
            Loading older bars …
          </span>
        )}
      </div>
      <figcaption>
        <p>{words}</p>
        <p class="note keys">
          Drag to move, Ctrl + wheel or pinch to zoom, click to keep a {interval === '1d' ? 'day' : 'bar'}. Keys: ← →{' '}
          {interval === '1d' ? 'day' : 'bar'}, Shift + ← → move, + − zoom, 0 reset, Enter keep.
        </p>
        <p class="note">
          Chart: TradingView Lightweight Charts™, © TradingView, Inc.{' '}
          <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
            tradingview.com
          </a>
        </p>
      </figcaption>
    </figure>
  );
}

/** Periods that a key moves by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -30,
  PageUp: 30,
};

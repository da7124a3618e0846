// The chart with its legend and its words. With the keyboard it is a slider over the days: arrows, Page Up and Down, Home, End.

import { useEffect, useRef, useState } from 'preact/hooks';
import { theme } from '../shell/theme.ts';
import { type ChartColours, ChartDrawing } from './chart-drawing.ts';
import { type ChartState, firstInRange } from './chart-state.ts';
import { describePeriod, type Reading, readingsOf } from './chart-words.ts';
import type { HistoryPoint } from './history.ts';
import { Swatch } from './swatch.tsx';

interface PriceChartProps {
  readonly name: string;
  readonly points: readonly HistoryPoint[];
  readonly state: ChartState;
}

export function PriceChart({ name, points, state }: PriceChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const drawing = useRef<ChartDrawing | null>(null);
  /** A day rather than a place, which moves when older days arrive. */
  const [at, setAt] = useState<string | null>(null);

  useEffect(() => {
    const made = new ChartDrawing(element.current!, setAt);
    drawing.current = made;
    return () => made.remove();
  }, []);
  useEffect(() => {
    drawing.current?.draw(points, state, coloursOf(element.current!));
  }, [points, state]);
  useEffect(() => drawing.current?.paint(coloursOf(element.current!)), [theme.value]);

  const last = points.length - 1;
  const place = points.findIndex(({ day }) => day === at);
  const shown = place < 0 ? last : place;
  const point = points[shown];
  const readings = point === undefined ? [] : readingsOf(point, state.averages, state.bands);
  const first = firstInRange(points, state.range);

  function moveTo(index: number | null): void {
    const target = index === null ? undefined : points[Math.max(first, Math.min(last, index))];
    setAt(target?.day ?? null);
    drawing.current?.point(target ?? null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined) moveTo(shown + step);
    else if (event.key === 'Home') moveTo(first);
    else if (event.key === 'End') moveTo(last);
    else return;
    event.preventDefault();
  }

  return (
    <figure class="chart">
      <Legend day={point?.day ?? ''} readings={readings} />
      <div
        ref={element}
        class="chart-canvas"
        role="slider"
        tabIndex={0}
        aria-label={`Price of ${name}, day by day`}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={[point?.day, ...readings.map(({ label, text }) => `${label} ${text}`)].join(', ')}
        onKeyDown={onKeyDown}
        onBlur={() => moveTo(null)}
      />
      <figcaption>
        <p>{describePeriod(points.slice(first))}</p>
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

/** Days that a key moves by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -30,
  PageUp: 30,
};

function Legend({ day, readings }: { readonly day: string; readonly readings: readonly Reading[] }) {
  return (
    <dl class="chart-legend">
      <div>
        <dt class="visually-hidden">day</dt>
        <dd>{day}</dd>
      </div>
      {readings.map(({ label, text, window }) => (
        <div key={label}>
          <dt>
            <Swatch kind={label} window={window} />
            {label}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The chart paints on a canvas, which knows no style sheet. */
function coloursOf(element: HTMLElement): ChartColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--muted'),
    grid: colour('--line'),
    crosshair: colour('--line-strong'),
    price: colour('--text'),
    band: colour('--band'),
    bandFill: colour('--band-fill'),
    average: window => colour(`--sma-${window}`) || colour('--accent'),
  };
}

// The distribution of a column among the rows, with two handles that choose a range of it.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Params } from '../api.ts';
import { columnLabel } from '../column-label.ts';
import { failureIn } from '../failure.ts';
import { type Distribution, loadDistribution, placeOf, roundedValue } from './distribution.ts';

interface Props {
  readonly column: string;
  /** What selects the rows. */
  readonly params: Params;
  readonly low: number | null;
  readonly high: number | null;
  readonly onRange: (low: number | null, high: number | null) => void;
}

const WIDTH = 320;
const HEIGHT = 56;

export function Histogram({ column, params, low, high, onRange }: Props) {
  const [distribution, setDistribution] = useState<Distribution | null>(null);
  const chart = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const control = new AbortController();
    setDistribution(null);
    // Without it the fields still work.
    loadDistribution(column, params, control.signal).then(setDistribution, failureIn);
    return () => control.abort();
  }, [column, JSON.stringify(params)]);

  if (distribution === null) return <div class="histogram" aria-hidden="true" />;
  const { counts } = distribution;
  const tallest = Math.max(1, ...counts);
  const from = low === null ? 0 : placeOf(distribution, low);
  const to = high === null ? 1 : placeOf(distribution, high);
  const inside = (i: number) => (i + 0.5) / counts.length >= from && (i + 0.5) / counts.length <= to;

  function set(end: 'low' | 'high', place: number): void {
    const at = Math.max(end === 'high' ? from : 0, Math.min(end === 'low' ? to : 1, place));
    // A handle at the edge leaves that end open.
    const value = at <= 0 || at >= 1 ? null : roundedValue(distribution!, at);
    onRange(end === 'low' ? value : low, end === 'high' ? value : high);
  }

  function placeAt(clientX: number): number {
    const box = chart.current!.getBoundingClientRect(); // rendered below
    return (clientX - box.left) / box.width;
  }

  const handle = { distribution, column, set, placeAt };
  return (
    <div ref={chart} class="histogram" dir="ltr">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((count, i) => {
          const height = count === 0 ? 0 : Math.max(1, (count / tallest) * HEIGHT);
          const width = WIDTH / counts.length;
          return (
            <rect
              key={i}
              class={inside(i) ? 'inside' : undefined}
              x={i * width}
              y={HEIGHT - height}
              width={Math.max(0.5, width - 1)}
              height={height}
            />
          );
        })}
      </svg>
      <Handle end="low" place={from} value={low} {...handle} />
      <Handle end="high" place={to} value={high} {...handle} />
    </div>
  );
}

interface HandleProps {
  readonly end: 'low' | 'high';
  readonly place: number;
  readonly value: number | null;
  readonly distribution: Distribution;
  readonly column: string;
  readonly set: (end: 'low' | 'high', place: number) => void;
  readonly placeAt: (clientX: number) => number;
}

function Handle({ end, place, value, distribution, column, set, placeAt }: HandleProps) {
  const step = 1 / distribution.counts.length;

  function onKeyDown(event: KeyboardEvent): void {
    const goal = {
      ArrowRight: place + step,
      ArrowUp: place + step,
      ArrowLeft: place - step,
      ArrowDown: place - step,
      PageUp: place + 5 * step,
      PageDown: place - 5 * step,
      Home: 0,
      End: 1,
    }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    set(end, goal);
  }

  return (
    <div
      class={`handle ${end}`}
      role="slider"
      tabIndex={0}
      aria-label={`${end === 'low' ? 'Lowest' : 'Highest'} ${columnLabel(column)}`}
      // The place in percent: a value such as 8.3e-7 is not valid there.
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(place * 100)}
      aria-valuetext={value === null ? 'any' : String(value)}
      style={{ left: `${place * 100}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={event => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(end, placeAt(event.clientX));
      }}
    />
  );
}

// The values of one day above the chart; those with an explanation open it.

import type { Reading } from './chart-words.ts';
import { Explained } from './explained.tsx';
import type { HistoryPoint } from './history.ts';
import { Swatch } from './swatch.tsx';

interface ChartLegendProps {
  /** Of the asset. */
  readonly id: string;
  readonly point: HistoryPoint | undefined;
  readonly readings: readonly Reading[];
  /** The day was kept by a click. */
  readonly pinned: boolean;
  readonly onUnpin: () => void;
}

export function ChartLegend({ id, point, readings, pinned, onUnpin }: ChartLegendProps) {
  return (
    <dl class="chart-legend">
      <div>
        <dt class="visually-hidden">Day</dt>
        <dd>
          {point?.day}
          {pinned && (
            <button type="button" class="quiet unpin" aria-label="Show the latest day again" onClick={onUnpin}>
              ✕
            </button>
          )}
        </dd>
      </div>
      {readings.map(({ label, text, colour, explains }) => (
        <div key={label}>
          <dt>
            {colour !== '' && <Swatch colour={colour} />}
            {label}
          </dt>
          <dd>
            {explains === null || point === undefined ? (
              text
            ) : (
              <Explained asset={id} column={explains} day={point.lastDay}>
                {text}
              </Explained>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

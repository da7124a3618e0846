// The values of one period above the chart; those with an explanation open it.

import { momentOf } from '../day.ts';
import { type Interval, isFine, listedInterval } from '../interval.ts';
import { formatPeriod } from '../time-form.ts';
import type { Reading } from './chart-words.ts';
import { Explained } from './explained.tsx';
import type { HistoryPoint } from './history.ts';
import { Swatch } from './swatch.tsx';

interface ChartLegendProps {
  /** Of the asset. */
  readonly id: string;
  readonly interval: Interval;
  readonly point: HistoryPoint | undefined;
  readonly readings: readonly Reading[];
  /** The period was kept by a click. */
  readonly pinned: boolean;
  readonly onUnpin: () => void;
}

export function ChartLegend({ id, interval, point, readings, pinned, onUnpin }: ChartLegendProps) {
  return (
    <dl class="chart-legend">
      <div>
        <dt class="visually-hidden">{isFine(interval) ? 'Time' : 'Day'}</dt>
        <dd>
          {point && formatPeriod(point.start * 1000, interval)}
          {pinned && (
            <button
              type="button"
              class="quiet unpin"
              aria-label={`Show the latest ${isFine(interval) ? 'period' : 'day'} again`}
              onClick={onUnpin}
            >
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
              <Explained asset={id} column={explains} at={momentOf(point.lastStart * 1000, listedInterval(interval))}>
                {text}
              </Explained>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

// The axis of times: its marks and labels are those of UTC, or of the time zone of this browser if the user chooses it.

import {
  type ChartOptions,
  type DeepPartial,
  defaultHorzScaleBehavior,
  type IHorzScaleBehavior,
  TickMarkType,
  type Time,
  type TimeScalePoint,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatMoment, timeForm, writtenMillis } from '../time-form.ts';

const UtcAxis = defaultHorzScaleBehavior();

type Points = Parameters<IHorzScaleBehavior<Time>['fillWeightsForPoints']>[0];

/** A new day is where the day of the user begins. */
class LocalAxis extends UtcAxis {
  override fillWeightsForPoints(points: Points, startIndex: number): void {
    const local = points.map(point => ({ ...point, time: this.#shifted(point) }));
    super.fillWeightsForPoints(local, startIndex);
    for (let i = startIndex; i < points.length; i++) points[i]!.timeWeight = local[i]!.timeWeight;
  }

  /** As if its local time were that of UTC. */
  #shifted({ originalTime }: TimeScalePoint): TimeScalePoint['time'] {
    const seconds = writtenMillis(Number(originalTime) * 1000) / 1000;
    return this.convertHorzItemToInternal(seconds as UTCTimestamp); // seconds since 1970
  }
}

export function timeAxis(): IHorzScaleBehavior<Time> {
  return timeForm.value === 'local' ? new LocalAxis() : new UtcAxis();
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The options that write times: days as they are, which are those of UTC, and times of a day in the chosen zone. */
export function timeLabels(fine: boolean): DeepPartial<ChartOptions> {
  if (!fine) return { timeScale: { timeVisible: false } };
  return {
    localization: { timeFormatter: (time: Time) => formatMoment(Number(time) * 1000) },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, kind: TickMarkType) => markText(formatMoment(Number(time) * 1000), kind),
    },
  };
}

/** Of `2026-11-17 14:00`, the part that a mark stands for. */
export function markText(moment: string, kind: TickMarkType): string {
  switch (kind) {
    case TickMarkType.Year:
      return moment.slice(0, 4);
    case TickMarkType.Month:
      return MONTHS[Number(moment.slice(5, 7)) - 1]!; // every month has a name
    case TickMarkType.DayOfMonth:
      return String(Number(moment.slice(8, 10)));
    default:
      return moment.slice(11);
  }
}

// Whether a series of measurements grows. Memory is noisy: it rises until the collector runs, so what counts is how its
// lowest points develop, and an outlier among them must not decide.

export interface Point {
  readonly seconds: number;
  readonly value: number;
}

export interface Trend {
  /** Of the lowest points; units of the value. */
  readonly perHour: number;
  /** From the first to the last of the points that count, along that slope. */
  readonly rise: number;
  /** Up to which a rise is taken for noise. */
  readonly allowed: number;
  readonly flat: boolean;
}

/** What comes before is warming up: code is compiled, caches fill. */
const WARM_UP_SHARE = 1 / 3;
const BLOCKS = 12;
/** Of the middle level: what a heap may still move without growing. */
const ALLOWED_SHARE = 0.04;
/** How many times the usual distance of a low from the line. */
const ALLOWED_NOISE = 3;

export function trendOf(points: readonly Point[]): Trend {
  const lows = lowsOf(afterWarmUp(points));
  const perSecond = slope(lows);
  const [first, last] = [lows[0], lows.at(-1)];
  const rise = first === undefined || last === undefined ? 0 : perSecond * (last.seconds - first.seconds);
  const middle = median(lows.map(({ seconds, value }) => value - perSecond * seconds));
  const noise = median(lows.map(({ seconds, value }) => Math.abs(value - perSecond * seconds - middle)));
  const level = median(lows.map(({ value }) => value));
  const allowed = Math.max(ALLOWED_NOISE * noise, ALLOWED_SHARE * level);
  return { perHour: perSecond * 3600, rise, allowed, flat: rise <= allowed };
}

export function afterWarmUp(points: readonly Point[]): readonly Point[] {
  return points.slice(Math.ceil(points.length * WARM_UP_SHARE));
}

/** The lowest point of each of some parts with as many points. */
function lowsOf(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / BLOCKS));
  const lows: Point[] = [];
  for (let from = 0; from < points.length; from += size) {
    lows.push(points.slice(from, from + size).reduce((low, point) => (point.value < low.value ? point : low)));
  }
  return lows;
}

/** Theil and Sen: the median of the slopes between all pairs. Up to a quarter of the points may be anywhere. */
function slope(points: readonly Point[]): number {
  const slopes = points.flatMap((one, i) =>
    points.slice(i + 1).map(other => (other.value - one.value) / (other.seconds - one.seconds)),
  );
  return median(slopes);
}

/** 0 for none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

// What a soak has shown: for each measure whether it grew, and whether all is well.

import { type Measure, pointsOf, type Sample } from './sampler.ts';
import type { SoakResult } from './soak.ts';
import { afterWarmUp, type Trend, trendOf } from './trend.ts';

export interface Judged {
  readonly name: string;
  readonly unit: string;
  /** At the end of the warm-up, and at the end. */
  readonly from: number;
  readonly to: number;
  readonly most: number;
  readonly trend: Trend;
}

/** These must not grow. */
const JUDGED: readonly { readonly measure: Measure; readonly name: string; readonly unit: string }[] = [
  { measure: 'rss', name: 'resident memory', unit: 'MB' },
  { measure: 'heap', name: 'heaps of all threads', unit: 'MB' },
  { measure: 'external', name: 'memory outside the heaps', unit: 'MB' },
  { measure: 'openFiles', name: 'open files', unit: '' },
  { measure: 'threads', name: 'threads of the process', unit: '' },
];
/** Four times what starts a checkpoint: see journal_size_limit. */
const MOST_LOG_MB = 70;
const ENOUGH_SAMPLES = 30;

export function judge(samples: readonly Sample[]): Judged[] {
  return JUDGED.map(({ measure, name, unit }) => {
    const points = pointsOf(samples, measure);
    const settled = afterWarmUp(points);
    return {
      ...{ name, unit, trend: trendOf(points), most: Math.max(...points.map(({ value }) => value)) },
      ...{ from: settled[0]?.value ?? 0, to: settled.at(-1)?.value ?? 0 },
    };
  });
}

/** Everything that is wrong, in words; nothing when all is well. */
export function faultsOf(result: SoakResult): string[] {
  const { violations, failures, openFiles, exitCode, samples } = result;
  const grown = judge(samples)
    .filter(({ trend }) => !trend.flat)
    .map(({ name, unit, trend }) => `${name} grew by ${trend.rise.toFixed(1)} ${unit}`);
  const log = Math.max(...samples.map(({ writeAheadLog }) => writeAheadLog));
  return [
    ...(samples.length < ENOUGH_SAMPLES ? [`only ${samples.length} samples: too few to tell`] : []),
    ...violations,
    ...failures.map(line => `in the log: ${line}`),
    ...grown,
    ...(openFiles.after > openFiles.before ? [`${openFiles.after - openFiles.before} files were left open`] : []),
    ...(log > MOST_LOG_MB ? [`the write-ahead log had ${log.toFixed(0)} MB`] : []),
    ...(exitCode === 0 ? [] : [`the server ended with ${exitCode}`]),
  ];
}

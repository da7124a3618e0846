// The report of a soak, for people: docs/reports/soak.md and its picture.

import { machine } from '../../../bench/machine.ts';
import { lineCharts } from './line-chart.ts';
import { LOADS_A_DAY } from './market.ts';
import { pointsOf } from './sampler.ts';
import type { SoakResult } from './soak.ts';
import { faultsOf, type Judged, judge } from './verdict.ts';

export interface Report {
  readonly markdown: string;
  readonly svg: string;
  readonly faults: readonly string[];
}

export function reportOf(result: SoakResult): Report {
  const { samples } = result;
  const faults = faultsOf(result);
  const svg = lineCharts('Soak: memory, open files and answers over time', [
    { title: 'resident memory, MB', points: pointsOf(samples, 'rss') },
    { title: 'heaps, MB', points: pointsOf(samples, 'heap') },
    { title: 'open files', points: pointsOf(samples, 'openFiles') },
    { title: 'log before the store, MB', points: pointsOf(samples, 'writeAheadLog') },
    { title: 'answers per second', points: pointsOf(samples, 'answersPerSecond') },
  ]);
  const verdict = faults.length === 0 ? '**Flat: nothing grew, and no answer was wrong.**' : faultList(faults);
  const markdown = `# Soak

A real server under clients that check every answer, while days pass in seconds: some times a day other processes load the closes
as they are then, and now and then restate an older one, add an asset, change a profile, make or revoke a key. Written by \`npm run soak\`
([how it works](../../test/resilience/soak/soak.ts)).

${facts(result)}

${verdict}

![Memory, open files and answers over time](soak.svg)

What counts are the lowest points of each twelfth of the measurements, without the first third, in which caches fill; the
slope is the median of those between all pairs of them. It is flat when it rises by no more than its noise.

${trendTable(judge(samples))}

Open files without clients: ${result.openFiles.before} before, ${result.openFiles.after} after.

${questionTable(result)}

${machine()}
`;
  return { markdown, svg, faults };
}

function faultList(faults: readonly string[]): string {
  return ['**Not well:**', '', ...faults.map(fault => `- ${fault.split('\n')[0]!.slice(0, 300)}`)].join('\n');
}

function facts({ seconds, loads, asked, delays, samples, logBytes, shed }: SoakResult): string {
  const questions = [...asked.values()].reduce((sum, count) => sum + count, 0);
  const sorted = delays.toSorted((a, b) => a - b);
  const [first, last] = [samples[0]!, samples.at(-1)!];
  return table(
    ['', ''],
    [
      ['time', `${(seconds / 60).toFixed(1)} minutes, ${Math.ceil(loads / LOADS_A_DAY)} days lived, ${loads} loads`],
      ['questions', `${count(questions)}, ${(questions / seconds).toFixed(0)} a second; ${shed} refused as too many`],
      [
        'load to every thread',
        `${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} ms in the middle, ${(sorted.at(-1) ?? 0).toFixed(0)} ms at most`,
      ],
      [
        'store',
        `${first.storeFile.toFixed(1)} MB to ${last.storeFile.toFixed(1)} MB, the log before it at most ${Math.max(...samples.map(s => s.writeAheadLog)).toFixed(1)} MB`,
      ],
      ['event loops', `${Math.max(...samples.map(s => s.loopDelay)).toFixed(0)} ms late at worst`],
      ['log written', `${(logBytes / 1e6).toFixed(1)} MB`],
    ],
  );
}

export function trendTable(judged: readonly Judged[]): string {
  const number = (value: number) => value.toFixed(Math.abs(value) < 10 ? 1 : 0);
  return table(
    ['measure', 'after warm-up', 'at the end', 'most', 'slope an hour', 'rise', 'noise', 'verdict'],
    judged.map(({ name, unit, from, to, most, trend }) => [
      unit === '' ? name : `${name}, ${unit}`,
      ...[from, to, most, trend.perHour, trend.rise, trend.allowed].map(number),
      trend.flat ? 'flat' : '**grows**',
    ]),
  );
}

function questionTable({ asked, violations }: SoakResult): string {
  return table(
    ['question', 'answers checked', 'wrong'],
    [...asked].map(([name, times]) => [
      name,
      count(times),
      String(violations.filter(text => text.startsWith(`${name}:`)).length),
    ]),
  );
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

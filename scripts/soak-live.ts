// Hours of live prices in minutes. Ends with a verdict on the memory of `ingest live` and writes docs/reports/soak-live.md.
//
//   npm run soak:live                     5 minutes: 100 times the usual ticks and batches, a day every 10 seconds
//   npm run soak:live -- --minutes 2      shorter: less certain

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { machine } from '../bench/machine.ts';
import { type LiveSoakResult, liveSoak } from '../test/resilience/soak/live-soak.ts';
import { afterWarmUp, type Point, trendOf } from '../test/resilience/soak/trend.ts';

/** Against one tick per second and market, and a batch every 2 seconds. */
const TIMES = 100;
const OPTIONS = { markets: 100, tickMs: 1000 / TIMES, everyMs: 2000 / TIMES, dayMs: 10_000, sampleMs: 1000 };

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write(`soak:live: --minutes takes a number above 0, not ${values.minutes}\n`);
  process.exit(2);
}

const result = await liveSoak({
  ...OPTIONS,
  seconds: minutes * 60,
  onSample: ({ seconds, value }) => {
    if (Math.round(seconds) % 10 === 0) process.stdout.write(`${seconds.toFixed(0)} s  ${value.toFixed(0)} MB\n`);
  },
});
const rows = [row('resident memory, MB', result.memory), row('open files', result.openFiles)];
const isFlat = rows.every(({ flat }) => flat) && result.exitCode === 0;
const file = join(import.meta.dirname, '../docs/reports/soak-live.md');
writeFileSync(file, report(result));
process.stdout.write(isFlat ? styleText('green', 'flat\n') : styleText('red', `not flat\n${result.notes}\n`));
process.stdout.write('written to docs/reports/soak-live.md\n');
process.exitCode = isFlat ? 0 : 1;

function row(name: string, points: readonly Point[]): { readonly flat: boolean; readonly text: string } {
  const { perHour, rise, allowed, flat } = trendOf(points);
  const settled = afterWarmUp(points).map(({ value }) => value);
  const numbers = [settled[0] ?? 0, settled.at(-1) ?? 0, Math.max(...settled), perHour, rise, allowed];
  const cells = [name, ...numbers.map(number => number.toFixed(1)), flat ? 'flat' : 'grows'];
  return { flat, text: `| ${cells.join(' | ')} |` };
}

function report({ ticks, days, connections, exitCode }: LiveSoakResult): string {
  const hours = ((minutes * TIMES) / 60).toFixed(1);
  return `# Live prices over hours

One process of \`ingest live\` that follows ${OPTIONS.markets} markets of a local exchange through ccxt, with ${TIMES} times the usual ticks and
batches: ${minutes} minutes stand for ${hours} hours. A day lasts ${OPTIONS.dayMs / 1000} seconds. The connection breaks every 3 seconds, nonsense arrives twice per
second, and a market vanishes and appears with the days. Written by \`npm run soak:live\`
([how it works](../../test/resilience/soak/live-soak.ts)).

|  |  |
| --- | --- |
| ticks sent | ${ticks.toLocaleString('en')} |
| days closed from their candles | ${days} |
| connections | ${connections} |
| exit code when stopped | ${exitCode} |

| measure | after warm-up | at the end | most | slope per hour | rise | noise | verdict |
| --- | --: | --: | --: | --: | --: | --: | --- |
${rows.map(({ text }) => text).join('\n')}

What counts are the lowest points of each twelfth of the measurements, without the first third; the slope is the median of those between
all pairs of them. It is flat when it rises by no more than its noise.

${machine()}
`;
}

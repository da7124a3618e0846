// Tables with bars, and the sections of the two pages with benchmarks.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headlineTable } from './headlines.ts';

const docs = join(import.meta.dirname, '../docs');

/** Beside others, and what a server bears. */
export const PAGES = { main: join(docs, 'benchmarks.md'), load: join(docs, 'benchmarks-under-load.md') } as const;

export interface Bench {
  readonly name: string;
  readonly title: string;
  readonly page: keyof typeof PAGES;
  /** Measures, says how it goes through `log`, and returns the Markdown of its section. */
  run(log: (text: string) => void): Promise<string>;
}

export interface Contender {
  readonly name: string;
  readonly millis: number;
}

/** One row a contender, the first one being ours: time, how many times ours, and a bar as long as the logarithm of that. */
export function comparison(contenders: readonly Contender[]): string {
  const ours = contenders[0]!.millis;
  const rows = contenders.map(({ name, millis }) => {
    const ratio = millis / ours;
    const bar = '█'.repeat(1 + Math.round(8 * Math.log10(Math.max(ratio, 1))));
    return `| ${name} | ${duration(millis)} | ${ratio === 1 ? '1' : ratio.toFixed(ratio < 10 ? 2 : 0)} | ${bar} |`;
  });
  return ['| contender | time | × ours | (logarithmic) |', '|---|--:|--:|---|', ...rows].join('\n');
}

export function duration(millis: number): string {
  return millis < 1000 ? `${millis.toFixed(millis < 10 ? 2 : 0)} ms` : `${(millis / 1000).toFixed(2)} s`;
}

/** The middle of several runs, after one to warm up: a noisy neighbour moves it less than a mean. */
export function median(runs: number, work: () => void): number {
  work();
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

const SECTION = /<!-- bench:(?<name>[\w-]+) -->\n(?<text>.*?)\n<!-- \/bench:\k<name> -->/gs;
const HEADLINES = /(?<=<!-- headlines -->\n).*?(?=\n<!-- \/headlines -->)/s;

/** The sections of all pages by the name of their benchmark. */
export function readSections(): Map<string, string> {
  const text = Object.values(PAGES)
    .map(file => readFileSync(file, 'utf8'))
    .join('\n');
  return new Map(Array.from(text.matchAll(SECTION), ({ groups }) => [groups!['name']!, groups!['text']!]));
}

/** The page with the sections of this order, and, if it has one, the table on top that is made of all. */
export function pageWith(page: string, sections: ReadonlyMap<string, string>, order: readonly string[]): string {
  const introduction = page.slice(0, page.search(SECTION)).trimEnd();
  const written = order.flatMap(name => {
    const text = sections.get(name);
    return text === undefined ? [] : [`<!-- bench:${name} -->\n${text}\n<!-- /bench:${name} -->`];
  });
  const top = introduction.replace(HEADLINES, () => headlineTable(sections));
  return `${[top, ...written].join('\n\n')}\n`;
}

// Tables with bars, and the sections of docs/benchmarks.md.

export interface Bench {
  readonly name: string;
  readonly title: string;
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

export function replaceSection(page: string, name: string, section: string): string {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  const text = `${begin}\n${section}\n${end}`;
  return from < 0 || to < 0
    ? `${page.trimEnd()}\n\n${text}\n`
    : page.slice(0, from) + text + page.slice(to + end.length);
}

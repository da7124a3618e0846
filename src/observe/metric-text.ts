// Writes metrics in Prometheus' text format 0.0.4. The official client keeps its metrics in one thread; ours come from all threads.

import { type LabelsOf, METRICS, type MetricFacts, type MetricName } from './metric-table.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export class MetricText {
  readonly #samples = new Map<MetricName, string[]>();

  add<N extends MetricName>(name: N, labels: LabelsOf<N>, value: number): void {
    this.#line(name, `${name}${labelText(labels)} ${numberText(value)}`);
  }

  /** `counts` has one number for each bound, and one for what lies beyond the last; each counts its own bucket only. */
  addHistogram<N extends MetricName>(
    name: N,
    labels: LabelsOf<N>,
    bounds: readonly number[],
    counts: ArrayLike<number>,
    sum: number,
  ): void {
    let count = 0;
    for (let i = 0; i < counts.length; i++) {
      count += counts[i]!;
      const le = numberText(bounds[i] ?? Number.POSITIVE_INFINITY);
      this.#line(name, `${name}_bucket${labelText({ ...labels, le })} ${count}`);
    }
    this.#line(name, `${name}_sum${labelText(labels)} ${numberText(sum)}`);
    this.#line(name, `${name}_count${labelText(labels)} ${count}`);
  }

  /** In the order of the table; a metric without a sample is left out. */
  toString(): string {
    const parts: string[] = [];
    for (const [name, { type, help }] of Object.entries(METRICS as Record<string, MetricFacts>)) {
      const samples = this.#samples.get(name as MetricName); // the keys of the table are what its type says
      if (samples === undefined) continue;
      parts.push(`# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}`, `# TYPE ${name} ${type}`);
      for (const sample of samples) parts.push(sample);
    }
    return parts.length === 0 ? '' : `${parts.join('\n')}\n`;
  }

  #line(name: MetricName, line: string): void {
    const lines = this.#samples.get(name);
    if (lines === undefined) this.#samples.set(name, [line]);
    else lines.push(line);
  }
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\\n"]/g, escaped)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

// A strict reader of Prometheus' text format 0.0.4, written from its description and not from our writer. It fails for
// whatever Prometheus would refuse, and for what it would take but a careful exporter never writes.

import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly help: string;
  readonly type: string;
  readonly samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|NaN|[+-]Inf)$/i;

export function parseMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  if (text === '') return families;
  assert.ok(text.endsWith('\n'), 'the last line has an end');
  let current: { name: string; family: Family } | null = null;
  let help = { name: '', text: '' };
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      assert.match(name, NAME);
      help = { name, text: rest };
    } else if (kind === 'TYPE') {
      assert.equal(help.name, name, `HELP stands before TYPE: ${line}`);
      assert.match(rest, /^(?:counter|gauge|histogram|summary)$/);
      assert.ok(!families.has(name), `${name} is described once`);
      const family: Family = { help: help.text, type: rest, samples: [] };
      families.set(name, family);
      current = { name, family };
    } else {
      const sample = parseSample(line);
      assert.ok(current !== null && belongs(sample.name, current), `${line} stands below its own TYPE`);
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      assert.ok(!seen.has(identity), `${line} is there once`);
      seen.add(identity);
      current.family.samples.push(sample);
    }
  }
  for (const [name, family] of families) check(name, family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = '', inside, number = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? assert.fail(line);
  assert.match(name, NAME, line);
  assert.match(number, NUMBER, line);
  const labels: Record<string, string> = {};
  for (let rest = inside ?? ''; rest !== ''; ) {
    const [all, label = '', value = '', comma] = LABEL.exec(rest) ?? assert.fail(`labels of ${line}`);
    assert.ok(!(label in labels), `${label} is given once: ${line}`);
    labels[label] = value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
    rest = rest.slice(all.length);
    assert.ok(comma === '' || rest !== '', `no comma at the end: ${line}`);
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) };
}

function belongs(sample: string, { name, family }: { name: string; family: Family }): boolean {
  if (family.type !== 'histogram') return sample === name;
  return [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample);
}

function check(name: string, { type, samples }: Family): void {
  assert.ok(samples.length > 0, `${name} has samples`);
  if (type === 'counter') {
    assert.ok(name.endsWith('_total'), `${name} ends with _total`);
    for (const { value } of samples) assert.ok(value >= 0, `${name} is not negative`);
  }
  if (type === 'histogram') checkHistogram(name, samples);
  const quantiles = samples.filter(({ labels }) => 'quantile' in labels);
  assert.equal(
    quantiles.length,
    type === 'summary' ? samples.length : 0,
    `${name}: a summary, and it alone, has quantiles`,
  );
}

/** Buckets rise, the last one is +Inf, and it is the count. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others));
  for (const [labels, all] of series) {
    const buckets = all.filter(sample => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const rise = (numbers: readonly number[]) => numbers.every((number, i) => i === 0 || number >= numbers[i - 1]!);
    assert.ok(rise(bounds) && rise(counts), `the buckets of ${labels} rise`);
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY);
    assert.equal(all.find(sample => sample.name === `${name}_count`)?.value, counts.at(-1));
    assert.ok(all.some(sample => sample.name === `${name}_sum`));
  }
}

/** The value of one series; fails unless there is exactly one with these labels. */
export function sampleValue(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  const wanted = Object.entries(labels);
  const found = family?.samples.filter(
    sample => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
  );
  assert.equal(found?.length, 1, `one sample of ${name} ${JSON.stringify(labels)}`);
  return found![0]!.value;
}

// Indicators against other libraries: TA-Lib, by the test that uses it, and the test vectors of Tulip Indicators.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/domain/day.ts';
import { KERNEL_FACTS, type KernelName } from '../../src/domain/kernels.ts';
import { type Outputs, Series } from '../../src/indicators/kernel.ts';
import { KERNELS } from '../../src/indicators/kernels/index.ts';
import { pythonEnvironment } from '../python-environment.ts';
import { runTests, type Suite } from './suite.ts';

const root = join(import.meta.dirname, '../..');

export const taLib: Suite = {
  name: 'TA-Lib',
  tests: 'the optional columns, each on every day of a random walk, to 1e-9',
  async run() {
    const environment = await pythonEnvironment(['TA-Lib', 'numpy']);
    if ('missing' in environment) return environment;
    const files = [join(root, 'test/contract/golden/ta-lib.test.ts')];
    const result = await runTests(files, { TIDEMARK_PYTHON: environment.python });
    return { tool: 'TA-Lib for Python', counted: 'columns', ...result };
  },
};

interface Compared {
  readonly kernel: KernelName;
  /** For each list of results, what it is here. Absent: the vector has options that the kernel does not. */
  values(
    options: readonly number[],
  ): readonly ((outputs: Readonly<Record<string, Float64Array>>, day: number) => number)[] | null;
  /** Names of the inputs, in Tulip's order. */
  readonly inputs: readonly ('closes' | 'highs' | 'lows')[];
}

const CLOSES = ['closes'] as const;
const value = (name: string) => (outputs: Readonly<Record<string, Float64Array>>, day: number) => outputs[name]![day]!;
const middle = (outputs: Readonly<Record<string, Float64Array>>, day: number) =>
  (outputs['upper']![day]! + outputs['lower']![day]!) / 2;

/** Recursions with another seed (EMA, MACD, ATR) differ from Tulip by definition. */
const COMPARED: Readonly<Record<string, Compared>> = {
  sma: { kernel: 'sma', inputs: CLOSES, values: () => [value('value')] },
  var: { kernel: 'var', inputs: CLOSES, values: () => [value('value')] },
  stddev: { kernel: 'var', inputs: CLOSES, values: () => [(outputs, day) => Math.sqrt(outputs['value']![day]!)] },
  rsi: { kernel: 'rsi', inputs: CLOSES, values: () => [value('value')] },
  max: { kernel: 'extremes', inputs: CLOSES, values: () => [value('highest')] },
  min: { kernel: 'extremes', inputs: CLOSES, values: () => [value('lowest')] },
  roc: { kernel: 'change', inputs: CLOSES, values: () => [(outputs, day) => outputs['value']![day]! / 100] },
  bbands: {
    kernel: 'bollinger',
    inputs: CLOSES,
    values: ([, deviations]) => (deviations === 2 ? [value('lower'), middle, value('upper')] : null),
  },
  stoch: {
    kernel: 'stochastic',
    inputs: ['highs', 'lows', 'closes'],
    values: ([, slowing, mean]) => (slowing === 1 && mean === 3 ? [value('k'), value('d')] : null),
  },
};

interface Vector {
  readonly name: string;
  readonly options: readonly number[];
  /** As they are written: their digits say how exact they are. */
  readonly lists: readonly (readonly string[])[];
}

function vectorsOf(text: string): Vector[] {
  const blocks = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .split(/\n\s*\n/);
  return blocks.flatMap(block => {
    const [head = '', ...lines] = block.trim().split('\n');
    const [name = '', ...options] = head.trim().split(/\s+/);
    const lists = lines
      .filter(line => line.startsWith('{'))
      .map(line =>
        line
          .replace(/[{}\s]/g, '')
          .split(',')
          .filter(Boolean),
      );
    return name === '' || lists.length === 0 ? [] : [{ name, options: options.map(Number), lists }];
  });
}

/** Every day's outputs of a kernel, by their names. */
function outputsOf(
  name: KernelName,
  length: number,
  inputs: Readonly<Record<string, Float64Array>>,
): Record<string, Float64Array> {
  const closes = inputs['closes']!;
  const { outputs, state } = KERNEL_FACTS[name];
  const series = new Series(state);
  const none = new Float64Array(closes.length).fill(Number.NaN);
  series.set({ firstDay: 0 as Day, opens: none, volumes: none, highs: none, lows: none, ...inputs, closes }, null);
  const arrays = outputs.map(() => new Float64Array(closes.length));
  // As many as the kernel has, which is all that it writes.
  KERNELS[name](series, 0, [length], [arrays as unknown as Outputs], 0, 0);
  return Object.fromEntries(outputs.map((output, i) => [output, arrays[i]!]));
}

/** Null if all values agree to their last digit. */
function differenceOf({ name, options, lists }: Vector, compared: Compared): string | null {
  const values = compared.values(options);
  if (values === null) return null;
  const inputs = Object.fromEntries(
    compared.inputs.map((input, i) => [input, Float64Array.from(lists[i] ?? [], Number)]),
  );
  const outputs = outputsOf(compared.kernel, options[0]!, inputs);
  const days = inputs['closes']!.length;
  for (const [i, valueAt] of values.entries()) {
    const expected = lists[compared.inputs.length + i] ?? [];
    for (const [at, text] of expected.entries()) {
      const own = valueAt(outputs, days - expected.length + at);
      const digits = text.split('.')[1]?.length ?? 0;
      const near = Math.abs(own - Number(text)) <= 0.51 * 10 ** -digits;
      if (!near) return `${name} ${options.join(' ')}, value ${at} of result ${i}: ${own} instead of ${text}`;
    }
  }
  return null;
}

export const tulip: Suite = {
  name: 'Tulip Indicators',
  tests: 'the kernels with the same definition, with the lengths of the vectors',
  async run() {
    const folder = process.env['TULIP_INDICATORS'];
    if (folder === undefined || !existsSync(join(folder, 'tests/untest.txt'))) {
      return { missing: 'no registry has the vectors: set TULIP_INDICATORS to a clone of TulipCharts/tulipindicators' };
    }
    const vectors = ['atoz.txt', 'extra.txt', 'untest.txt'].flatMap(file =>
      vectorsOf(readFileSync(join(folder, 'tests', file), 'utf8')),
    );
    const own = vectors.flatMap(vector => {
      const compared = COMPARED[vector.name];
      return compared === undefined || compared.values(vector.options) === null ? [] : [{ vector, compared }];
    });
    const differences = own.map(({ vector, compared }) => differenceOf(vector, compared));
    const failed = differences.filter(difference => difference !== null);
    return {
      tool: 'the vectors of tulipindicators',
      counted: 'vectors',
      passed: own.length - failed.length,
      failed: own.length === 0 ? ['no vector was found'] : failed,
      inapplicable: [
        {
          count: vectors.length - own.length,
          why: 'indicators that Tidemark does not have, or with another definition (EMA, MACD and ATR have another seed)',
        },
      ],
    };
  },
};

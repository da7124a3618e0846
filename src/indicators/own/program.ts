// A definition, ready to be computed. One that says the same as a built-in column is computed by that column's kernel, and so has its bits.

import { INDICATORS } from '../../domain/catalogue.ts';
import { KERNEL_FACTS, type KernelName } from '../../domain/kernels.ts';
import { continues } from '../../domain/own/facts.ts';
import type { OwnNode } from '../../domain/own/language.ts';
import type { Kernel, Outputs, Series } from '../kernel.ts';
import { kernel as atr } from '../kernels/atr.ts';
import { kernel as bollinger } from '../kernels/bollinger.ts';
import { kernel as change } from '../kernels/change.ts';
import { kernel as ema } from '../kernels/ema.ts';
import { kernel as extremes } from '../kernels/extremes.ts';
import { kernel as rsi } from '../kernels/rsi.ts';
import { kernel as sma } from '../kernels/sma.ts';
import { kernel as turnover } from '../kernels/turnover.ts';
import { kernel as variance } from '../kernels/var.ts';
import { RecursionValues, STATE_NUMBERS } from './recursions.ts';
import { binaryValues, numberValues, plainValues, seriesValues, type Values, windowValues } from './values.ts';

export interface OwnProgram {
  /** Numbers that it continues from. */
  readonly stateSize: number;
  /** As a kernel does, to one column. */
  run(series: Series, first: number, out: Float64Array, row: number, state: number): void;
}

export function ownProgram(node: OwnNode): OwnProgram {
  const direct = directOf(node);
  return direct === null ? new ComputedProgram(node) : new KernelProgram(direct);
}

class ComputedProgram implements OwnProgram {
  readonly stateSize: number;
  readonly #root: Values;
  readonly #recursions: RecursionValues[] = [];
  readonly #continues: boolean;

  constructor(node: OwnNode) {
    this.#continues = continues(node);
    this.#root = this.#valuesOf(node);
    this.stateSize = this.#continues ? STATE_NUMBERS * this.#recursions.length : 0;
  }

  run(series: Series, first: number, out: Float64Array, row: number, state: number): void {
    const { end } = series;
    for (const recursion of this.#recursions) recursion.base = state;
    if (first >= end) {
      for (const recursion of this.#recursions) recursion.compute(series, end, end);
      return;
    }
    this.#root.compute(series, first, end);
    const { high } = this.#root;
    for (let day = first; day < end; day++) out[row + day - first] = high[day - first]!;
  }

  #valuesOf(node: OwnNode): Values {
    switch (node.kind) {
      case 'number':
        return numberValues(node.value);
      case 'series':
        return seriesValues(node.name);
      case 'plain':
        return plainValues(node.name, this.#valuesOf(node.operand));
      case 'binary':
        return binaryValues(node.operator, this.#valuesOf(node.left), this.#valuesOf(node.right));
      case 'window':
        return windowValues(node.name, node.length, this.#valuesOf(node.operand));
      case 'recursion': {
        const operand = this.#valuesOf(node.operand);
        const kept = this.#continues ? STATE_NUMBERS * this.#recursions.length : null;
        const recursion = new RecursionValues(node.name, node.length, operand, kept);
        this.#recursions.push(recursion);
        return recursion;
      }
    }
  }
}

interface Direct {
  readonly name: KernelName;
  readonly kernel: Kernel;
  /** The last one is that of the column; the others are those with which the bits of a built-in column come about. */
  readonly lengths: readonly number[];
  readonly output: number;
  /** It has values without its whole window, which a column of one's own has not. */
  readonly isPartial: boolean;
}

class KernelProgram implements OwnProgram {
  readonly stateSize: number;
  readonly #direct: Direct;
  #outputs: readonly Outputs[] = [];
  #out: Float64Array | null = null;

  constructor(direct: Direct) {
    this.#direct = direct;
    this.stateSize = KERNEL_FACTS[direct.name].state;
  }

  run(series: Series, first: number, out: Float64Array, row: number, state: number): void {
    const { kernel, lengths, isPartial } = this.#direct;
    if (out !== this.#out) this.#prepare(out);
    kernel(series, first, lengths, this.#outputs, row, state);
    if (!isPartial) return;
    const whole = lengths.at(-1)! - 1 - series.skipped; // there is one
    for (let day = first; day < Math.min(whole, series.end); day++) out[row + day - first] = Number.NaN;
  }

  #prepare(out: Float64Array): void {
    const { name, lengths, output } = this.#direct;
    const { outputs } = KERNEL_FACTS[name];
    this.#out = out;
    this.#outputs = lengths.map(
      (_, k) =>
        outputs.map((__, i) =>
          k === lengths.length - 1 && i === output ? out : new Float64Array(out.length),
        ) as unknown as Outputs, // as many as the kernel has, which is all that it uses
    );
  }
}

/** The kernel of a built-in column that says the same; null if there is none. */
function directOf(node: OwnNode): Direct | null {
  if (node.kind === 'series') return node.name === 'turnover' ? direct('turnover', turnover, [1]) : null;
  if (node.kind !== 'window' && node.kind !== 'recursion') return null;
  const { name, length, operand } = node;
  if (name === 'atr') return direct('atr', atr, [length]);
  if (operand.kind !== 'series') return null;
  if (operand.name === 'turnover') return name === 'sma' ? direct('turnover', turnover, [length]) : null;
  if (operand.name !== 'close') return null;
  switch (name) {
    case 'sma': {
      const shorter = INDICATORS.filter(({ kernel, length: other }) => kernel === 'sma' && other < length);
      const lengths = [...shorter.map(each => each.length), length];
      return { ...direct('sma', sma, lengths), isPartial: true };
    }
    case 'var':
      return { ...direct('var', variance, [length]), isPartial: true };
    case 'change':
      return direct('change', change, [length]);
    case 'ema':
      return direct('ema', ema, [length]);
    case 'rsi':
      return direct('rsi', rsi, [length]);
    case 'zscore':
      return direct('bollinger', bollinger, [length], 'zscore');
    case 'max':
      return direct('extremes', extremes, [length], 'highest');
    case 'min':
      return direct('extremes', extremes, [length], 'lowest');
    default:
      return null;
  }
}

function direct(name: KernelName, kernel: Kernel, lengths: readonly number[], output = 'value'): Direct {
  return { name, kernel, lengths, output: KERNEL_FACTS[name].outputs.indexOf(output), isPartial: false };
}

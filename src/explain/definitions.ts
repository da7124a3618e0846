// How the values of each kernel follow from the days, in real numbers. Written from the definitions, not from the kernels, so that it
// checks them.

import { mapInSteps } from '../common/steps.ts';
import type { KernelName } from '../domain/kernels.ts';
import { type Definition, HUNDRED, LOGARITHMS, lastDays, logReturn, spread, step, yearly } from './derivation.ts';
import { OPTIONAL_DEFINITIONS } from './optional-definitions.ts';
import { ownDefinition } from './own-definition.ts';
import { divide, fromInteger, mean, multiply, squareRoot, subtract, sum, ZERO } from './real.ts';

export const DEFINITIONS: Readonly<Record<KernelName, Definition>> = {
  ...OPTIONAL_DEFINITIONS,

  own: ownDefinition,

  change: (days, length) => {
    if (days.count <= length) return { inputs: [0], steps: [], exact: null };
    const [last, earlier] = [days.close(0), days.close(length)];
    const ratio = divide(last, earlier);
    const exact = multiply(subtract(ratio, fromInteger(1)), HUNDRED);
    return { inputs: [0, length], steps: [step(`C0 / C${length}`, ratio)], exact };
  },

  sma: (days, length) => {
    const inputs = lastDays(Math.min(length, days.count));
    const closes = inputs.map(i => days.close(i));
    const steps = [step('n', fromInteger(closes.length)), step('sum of closes', sum(closes))];
    return { inputs, steps, exact: mean(closes) };
  },

  var: (days, length) => {
    const inputs = lastDays(Math.min(length, days.count));
    const closes = inputs.map(i => days.close(i));
    const { average, squares } = spread(closes);
    const steps = [
      step('n', fromInteger(closes.length)),
      step('mean of closes', average),
      step('sum of squared deviations', squares),
    ];
    return { inputs, steps, exact: divide(squares, fromInteger(closes.length)) };
  },

  *vol(days, length) {
    const count = Math.min(length, days.count - 1);
    const inputs = lastDays(count + 1);
    const returns = yield* mapInSteps(lastDays(count), i => logReturn(days.close(i), days.close(i + 1)), LOGARITHMS);
    if (count < 2) return { inputs, steps: [step('returns', fromInteger(count))], exact: ZERO };
    const { average, squares } = spread(returns);
    const deviation = squareRoot(divide(squares, fromInteger(count - 1)));
    const steps = [
      step('returns', fromInteger(count)),
      step('mean of log returns', average),
      step('sum of squared deviations', squares),
      step('sample standard deviation', deviation),
      step(`square root of ${days.perYear.text}`, yearly(days)),
    ];
    return { inputs, steps, exact: multiply(multiply(deviation, yearly(days)), HUNDRED) };
  },
};

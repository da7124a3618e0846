// The arguments `interval` and `quote` of the tools.

import { LISTED_INTERVALS } from '../domain/interval.ts';
import type { Argument } from './arguments.ts';

export const INTERVAL_ARGUMENT: Argument = {
  type: 'choice',
  choices: LISTED_INTERVALS,
  doc: 'Length of a period, default 1d: sma50 of 1h is the mean of 50 hours.',
};

export const QUOTE_ARGUMENT: Argument = {
  type: 'text',
  doc: 'Currency or asset of prices, default USD: EUR if the store has it, BTC or any other asset. Every column is computed from the converted prices.',
};

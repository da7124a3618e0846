import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FUNCTION_NAMES } from '../../query/expression/operations.ts';
import { KEYWORDS } from '../../query/expression/tokens.ts';
import { PARAMETERS } from '../../query/parameters.ts';
import { ASSET_COLUMNS, BAR_COLUMNS, COLUMNS, OPTIONAL_COLUMNS } from '../catalogue.ts';
import { COLUMN_GROUPS } from '../columns.ts';
import { continues, reachOf, readsOf, warmUpOf } from './facts.ts';
import { OwnColumnError } from './language.ts';
import { definitionText, parseDefinition } from './parse.ts';
import { parseDefinitions } from './parse-definitions.ts';

describe('the text of a definition', () => {
  for (const [written, text] of [
    [' ema( close ,9 ) ', 'ema(close, 9)'],
    ['close-open-low', 'close - open - low'],
    ['close-(open-low)', 'close - (open - low)'],
    ['(close*open)/2', 'close * open / 2'],
    ['close/(open*2)', 'close / (open * 2)'],
    ['-(close+1)*2', '-(close + 1) * 2'],
    ['close - -1', 'close - (-1)'],
    ['min(close, 5)', 'min(close, 5)'],
    ['min(close, open)', 'min(close, open)'],
    ['atr(14)', 'atr(14)'],
    ['1e3 * .5 * close', '1000 * 0.5 * close'],
  ] as const) {
    it(`of ${written} is ${text}, and has the same tree`, () => {
      const node = parseDefinition(written);
      assert.equal(definitionText(node), text);
      assert.deepEqual(parseDefinition(text), node);
    });
  }
});

describe('what a definition reads', () => {
  for (const [text, reach, warmUp, isContinued, reads] of [
    ['close', 0, 0, true, ''],
    ['sma(close, 20)', 19, 19, true, ''],
    ['lag(sma(volume, 20), 5)', 24, 24, true, 'volume'],
    ['ema(close, 9)', 0, 8, true, ''],
    ['ema(sma(high, 5), 9)', 4, 12, true, 'high'],
    ['rsi(close, 14) - rsi(turnover, 7)', 1, 14, true, 'volume'],
    ['stdev(close, 20) / atr(14)', 19, 19, true, 'high low'],
    ['sma(ema(close, 9), 5)', 4, 12, false, ''],
    ['ema(ema(close, 9), 9)', 0, 16, false, ''],
  ] as const) {
    it(`${text}`, () => {
      const node = parseDefinition(text);
      assert.deepEqual(
        [reachOf(node), warmUpOf(node), continues(node), readsOf(node).join(' ')],
        [reach, warmUp, isContinued, reads],
      );
    });
  }
});

describe('the name of a column', () => {
  it('is never that of a parameter, a word of the language, a group, or a built-in column', () => {
    const taken = [
      ...Object.keys(PARAMETERS),
      ...KEYWORDS,
      ...FUNCTION_NAMES,
      ...Object.keys(COLUMN_GROUPS),
      'all',
      ...[...ASSET_COLUMNS, ...BAR_COLUMNS].map(({ name }) => name),
    ];
    const known = new Set<string>([...COLUMNS, ...OPTIONAL_COLUMNS].map(({ name }) => name));
    for (const name of taken) {
      // The catalogue refuses these.
      if (known.has(name)) continue;
      assert.throws(() => parseDefinitions({ [name]: 'close' }), OwnColumnError, name);
    }
  });
});

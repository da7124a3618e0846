import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complete } from './completion.ts';

const VOCABULARY = {
  columns: [
    { name: 'price', label: 'Price' },
    { name: 'sma50', label: 'SMA 50' },
    { name: 'sma200', label: 'SMA 200' },
    { name: 'vol30', label: 'Volatility 30d' },
  ],
  tags: ['defi', 'layer-1', 'lending'],
};

/** The caret is at the bar. */
function at(marked: string, asked = false) {
  const caret = marked.indexOf('|');
  const expression = marked.replace('|', '');
  const { from, to, suggestions } = complete(expression, caret, VOCABULARY, asked);
  return { texts: suggestions.map(each => each.text), replaced: expression.slice(from, to) };
}

describe('completion', () => {
  const cases: readonly [marked: string, texts: readonly string[], replaced: string][] = [
    ['sm|', ['sma50', 'sma200'], 'sm'],
    ['price > sma5|', ['sma50'], 'sma5'],
    ['volat|', ['vol30'], 'volat'],
    ['price > sma50|', [], ''],
    ['price > s|ma50', ['sma50', 'sma200', 'sqrt('], 'sma50'],
    ['lag|', ['lag('], 'lag'],
    ['cros|', ['crosses_above(', 'crosses_below('], 'cros'],
    ['price > 1 a|', ['and '], 'a'],
    ['price i|', ['is not null', 'is null'], 'i'],
    ["tag('|", ["defi')", "layer-1')", "lending')"], ''],
    ["tag('l|", ["layer-1')", "lending')"], 'l'],
    ["symbol = 'l|", [], ''],
    ["tag('defi')|", [], ''],
    ['|', [], ''],
    ['price > |', [], ''],
    ['price > 10B|', [], ''],
    ['price > 10 b|', [], ''],
    ['price > 10 be|', ['between '], 'be'],
  ];
  for (const [marked, texts, replaced] of cases) {
    it(`offers ${texts.join(', ') || 'nothing'} at ${marked}`, () => {
      const found = at(marked);
      assert.deepEqual(found.texts, texts);
      if (texts.length > 0) assert.equal(found.replaced, replaced);
    });
  }

  it('offers columns or words without a beginning when asked', () => {
    assert.deepEqual(at('price > |', true).texts.slice(0, 4), ['price', 'sma50', 'sma200', 'vol30']);
    assert.equal(at('price > 1 |', true).texts[0], 'and ');
  });
});

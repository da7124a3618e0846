import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withoutFormulas } from './csv-formulas.ts';

const asBytes = (text: string) => Buffer.from(text).toString('latin1');
const asText = (bytes: string) => Buffer.from(bytes, 'latin1').toString();
/** As the docs say: one apostrophe at the start and after each separator. */
const original = (text: string) => text.replace(/(^|[;|\t\r\n])'/g, '$1');

const texts = fc
  .array(
    fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      "'",
      ' ',
      '\u00a0',
      '\u200b',
      '\t',
      '\r',
      '\n',
      '\0',
      ';',
      '|',
      ',',
      '"',
      'x',
      '1',
      '币',
    ),
  )
  .map(parts => parts.join(''));

describe('a text without formulas', () => {
  it('has none in any cell, whichever of comma, semicolon, bar and tab separates cells', () => {
    fc.assert(
      fc.property(texts, text => {
        const safe = asText(withoutFormulas(asBytes(text)));
        for (const separator of [/(?!)/, /[;\r\n]/, /[|\r\n]/, /[\t\r\n]/]) {
          for (const cell of safe.split(separator)) {
            assert.doesNotMatch(
              cell.trimStart().replace(/^[\s\0\u200b]+/, ''),
              /^[=+\-@＝＋－＠]/,
              JSON.stringify([text, safe]),
            );
          }
        }
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  it('reads back as the text itself', () => {
    fc.assert(
      fc.property(texts, text => assert.equal(original(asText(withoutFormulas(asBytes(text)))), text)),
      { numRuns: 3000, seed: 2 },
    );
  });

  it('takes time in proportion to its length, also when it is all white space', () => {
    const text = '\t'.repeat(200_000);
    assert.equal(withoutFormulas(text), `'${text}`);
    assert.equal(withoutFormulas(`${text}=`).length, 400_002);
  });
});

// Random and mutated texts into the parser: it answers each with a tree or with an error that points into the text, and a tree
// survives the round trip through its canonical form. TIDEMARK_FUZZ_TEXTS sets how many; the long form is 1,000,000.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSETS, TA_CUR, TA_HIST } from '../../../src/domain/datasets.ts';
import { ApiError } from '../../../src/errors.ts';
import { canonicalText } from '../../../src/query/expression/canonical.ts';
import { whereSource } from '../../../src/query/expression/expression-source.ts';
import { parseExpression } from '../../../src/query/expression/parser.ts';
import type { Syntax } from '../../../src/query/expression/syntax.ts';
import { parsePlan } from '../../../src/query/parse/parse-plan.ts';
import { Chance } from '../query/chance.ts';
import { randomCondition } from './random-expressions.ts';

const TEXTS = Number(process.env['TIDEMARK_FUZZ_TEXTS'] ?? 20_000);
const SEED = 14;
const NAMES = { numbers: ['price', 'sma5'], days: ['datetimeUTC'], texts: ['symbol'], flags: [], tags: ['defi'] };
const PIECES = [
  ...['price', 'sma5', 'nope', 'and', 'or', 'not', 'is', 'null', 'between', 'in', 'tag', 'min', 'abs', 'AND'],
  ...[
    '(',
    ')',
    ',',
    '+',
    '-',
    '*',
    '/',
    '=',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '[',
    ']',
    "'",
    "''",
    "'x'",
    '"',
    '&',
    '==',
    '<>',
  ],
  ...[
    '1',
    '0',
    '1e5',
    '1e999',
    '.',
    '.5',
    '5.',
    '1e',
    '-',
    ' ',
    '\t',
    '\n',
    ' ',
    '😀',
    '\ud800',
    'ß',
    '\u202e',
    '\\',
    '%',
    ';',
  ],
];
const ALLOWED = ['invalid_expression', 'unknown_column', 'expression_too_large'];

function randomText(chance: Chance): string {
  if (chance.happens(0.4)) return chance.some(PIECES, 30).join(chance.pick(['', ' ']));
  const { text } = randomCondition(NAMES, chance, chance.below(5));
  if (chance.happens(0.2)) return text;
  let mutated = text;
  for (let i = chance.below(4); i >= 0; i--) {
    const at = chance.below(mutated.length + 1);
    const removed = chance.below(4);
    mutated = mutated.slice(0, at) + (chance.happens(0.6) ? chance.pick(PIECES) : '') + mutated.slice(at + removed);
  }
  if (chance.happens(0.02)) mutated = chance.pick(['(', 'not ', '-', 'abs(', "'"]).repeat(chance.below(3000)) + mutated;
  return mutated;
}

function assertPoints(error: unknown, text: string): void {
  assert.ok(error instanceof ApiError, `${JSON.stringify(text.slice(0, 200))}: ${error}`);
  assert.ok(ALLOWED.includes(error.code), `${JSON.stringify(text.slice(0, 200))}: ${error.code}`);
  const { position } = error;
  assert.ok(
    position !== undefined && position >= 0 && position <= text.length,
    `${JSON.stringify(text.slice(0, 200))}: ${position}`,
  );
  assert.ok(error.detail.isWellFormed() && error.detail.length < 300, error.detail);
}

/** Without positions. */
function shape(tree: Syntax): unknown {
  return JSON.parse(JSON.stringify(tree, (name, value: unknown) => (name === 'at' ? undefined : value)));
}

describe('the parser of expressions', () => {
  it(`answers ${TEXTS} random and mutated texts with a tree or with an error that points into the text`, () => {
    let [trees, plans] = [0, 0];
    for (let i = 0; i < TEXTS; i++) {
      const chance = new Chance(SEED + i);
      const text = randomText(chance);
      try {
        const tree = parseExpression(whereSource(text));
        trees++;
        const written = canonicalText(tree);
        // The canonical form may be longer: short numbers and names stay, spaces are added.
        const again = parseExpression({ param: 'where', text: written, start: 0 });
        assert.deepEqual(shape(again), shape(tree), text);
        assert.equal(canonicalText(again), written, text);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        assertPoints(error, text);
      }
      if (!text.isWellFormed() || text.length > 2000 || i % 4 !== 0) continue;
      try {
        parsePlan(chance.pick([TA_CUR, ASSETS, TA_HIST]), `symbol=BTC&where=${encodeURIComponent(text)}`);
        plans++;
      } catch (error) {
        assertPoints(error, text);
      }
    }
    assert.ok(trees > TEXTS / 10 && trees < TEXTS, `${trees} trees`);
    assert.ok(plans > TEXTS / 100, `${plans} plans`);
  });
});

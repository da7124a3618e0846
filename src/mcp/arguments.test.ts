import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Arguments, type ArgumentTable, inputSchema, withPlainConditions } from './arguments.ts';

const TABLE: ArgumentTable = {
  where: { type: 'condition', doc: 'Which rows.' },
  asset: { type: 'text', doc: 'One asset.', required: true },
  order: { type: 'choice', choices: ['asc', 'desc'], doc: 'Direction.' },
  limit: { type: 'integer', max: 100, default: 20, doc: 'Rows.' },
  columns: { type: 'names', names: ['symbol', 'price', 'sma50', 'sma200'], listed: true, doc: 'Columns.' },
};

const given = (values: Readonly<Record<string, unknown>>) => new Arguments(TABLE, { asset: 'BTC', ...values });

describe('the arguments of a tool', () => {
  it('are described by a schema with what is required', () => {
    const { properties, required, additionalProperties } = inputSchema(TABLE);
    assert.deepEqual([Object.keys(properties), required, additionalProperties], [Object.keys(TABLE), ['asset'], false]);
    assert.deepEqual(properties['where'], { type: 'string', description: 'Which rows.' });
  });

  it('are read as models send them: numbers as texts, lists as one text, null for nothing', () => {
    assert.deepEqual(given({ columns: ' price , sma50,price' }).names('columns'), ['price', 'sma50']);
    assert.deepEqual([given({ limit: '7' }).integer('limit'), given({ limit: null }).integer('limit')], [7, 20]);
    assert.deepEqual([given({ order: 'DESC' }).one('order'), given({ order: ' ' }).one('order')], ['desc', undefined]);
    const many = given({ limit: 5000 });
    assert.deepEqual(
      [many.integer('limit'), [...many.notes]],
      [100, ['limit is at most 100: 5000 was lowered to it.']],
    );
  });

  it('have conditions with plain numbers, and other texts as they were sent', () => {
    const values = { where: 'price > 10M', asset: '10M', limit: 3 };
    assert.deepEqual(withPlainConditions(TABLE, values), { ...values, where: 'price > 10000000' });
    const other = { asset: 'BTC', where: ['price > 1K'] };
    assert.equal(withPlainConditions(TABLE, other), other);
  });

  it('have texts that a URL can hold', () => {
    assert.equal(given({ asset: ' a\ud800b ' }).text('asset'), 'a\ufffdb');
  });

  for (const [what, values, error] of [
    ['a name of every object', { constructor: 1 }, { code: 'unknown_parameter', param: 'constructor' }],
    ['the name of a prototype', JSON.parse('{"__proto__":1}'), { code: 'unknown_parameter', param: '__proto__' }],
    ['a misspelt name', { wher: 'x' }, { code: 'unknown_parameter', meant: 'where' }],
    ['a missing one', { asset: '' }, { code: 'missing_parameter', param: 'asset' }],
  ] as const) {
    it(`do not include ${what}`, () => assert.throws(() => given(values), error));
  }

  for (const [what, read, error] of [
    ['a misspelt choice', () => given({ order: 'desk' }).one('order'), { code: 'invalid_value', meant: 'desc' }],
    ['a misspelt column', () => given({ columns: ['prce'] }).names('columns'), { meant: 'price' }],
    ['no column at all', () => given({ columns: ['nope'] }).names('columns'), { meant: undefined }],
    ['a fraction', () => given({ limit: 1.5 }).integer('limit'), { hint: 'limit takes an integer from 1 to 100.' }],
  ] as const) {
    it(`are refused with what was meant: ${what}`, () => assert.throws(read, error));
  }
});

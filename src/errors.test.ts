import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, clipped, ERRORS, type ErrorCode, quoted } from './errors.ts';

describe('the table of errors', () => {
  for (const [code, { status, title, doc }] of Object.entries(ERRORS)) {
    it(`has a status, a title and a sentence for ${code}`, () => {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/);
      assert.ok(status >= 400 && status < 600, `${status}`);
      assert.match(title, /^[A-Z].*[^.]$/);
      assert.match(doc, /^[A-Z].*\.$/);
    });
  }
});

describe('an error to answer with', () => {
  it('knows the status and the title of its code', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const error = new ApiError(code, 'what was wrong');
      assert.equal(error.status, ERRORS[code].status);
      assert.equal(error.title, ERRORS[code].title);
      assert.equal(error.detail, 'what was wrong');
    }
  });

  it('has a parameter, a hint and candidates only where they were given', () => {
    const bare = new ApiError('internal', 'x');
    assert.deepEqual([bare.param, bare.hint, bare.candidates], [undefined, undefined, undefined]);
    const full = new ApiError('ambiguous_symbol', 'x', { param: 'id', hint: 'h', candidates: ['a-a', 'a-b'] });
    assert.deepEqual([full.param, full.hint, full.candidates], ['id', 'h', ['a-a', 'a-b']]);
  });
});

describe("a client's text in a message", () => {
  it('is quoted with its control characters escaped', () => assert.equal(quoted('a"\n'), '"a\\"\\n"'));
  it('is cut when it is long', () => assert.equal(clipped('x'.repeat(1000)), `${'x'.repeat(60)}…`));
  it('is never cut into half a character', () =>
    assert.ok(clipped(`${'x'.repeat(59)}${'😀'.repeat(9)}`).isWellFormed()));
});

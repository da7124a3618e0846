import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, ERRORS, type ErrorCode } from '../../errors.ts';
import { errorHeaders } from './problem.ts';

describe('the headers of an error', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const mayPass =
      ERRORS[code].status === 503 || ['overloaded', 'too_many_at_once', 'too_many_streams'].includes(code);
    it(`say ${mayPass ? 'when to retry' : 'nothing'}: ${code}`, () => {
      const headers = errorHeaders(new ApiError(code, 'x', {}));
      if (mayPass) assert.match(headers, /^retry-after: [1-9]\d*\r\n$/);
      else assert.equal(headers, '');
    });
  }
});

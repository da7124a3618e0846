// The query of paths that take no parameter but the key.

import { ApiError } from '../errors.ts';

/** The value of `api_key`, null without one. */
export function parseKeyOnly(query: string): string | null {
  let key: string | null = null;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (name !== 'api_key') {
      const param = name.slice(0, 80);
      throw new ApiError('unknown_parameter', `There is no parameter ${JSON.stringify(param)} here.`, {
        param,
        hint: 'A profile takes no parameter but api_key.',
      });
    }
    if (key !== null) throw new ApiError('duplicate_parameter', 'api_key is given twice.', { param: 'api_key' });
    try {
      key = decodeURIComponent(pair.slice(equals + 1));
    } catch {
      throw new ApiError('bad_encoding', 'api_key has a broken percent-encoding.', { param: 'api_key' });
    }
  }
  return key;
}

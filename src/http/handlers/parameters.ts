// Refuses query parameters on paths that take only `api_key`.

import { ApiError, clipped, quoted } from '../../errors.ts';

export function refuseParameters(query: string): void {
  for (const pair of query.split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (name === '' || name === 'api_key') continue;
    throw new ApiError('unknown_parameter', `There is no parameter ${quoted(name)} here.`, {
      param: clipped(name),
      hint: 'The only parameter of this endpoint is api_key.',
    });
  }
}

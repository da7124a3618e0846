// Why the scheduler refuses a request, as errors.

import { ApiError } from '../../errors.ts';
import { MAX_WAITING } from './scheduler.ts';
import type { Refusal } from './scheduler-client.ts';

/** Made once: refusing must cost next to nothing. It comes before the API key is looked at, so it costs the client nothing either. */
export const REFUSALS: Readonly<Record<Refusal, ApiError>> = {
  late: new ApiError('overloaded', 'The request has waited too long for its turn.', {
    hint: 'Retry after Retry-After seconds, and send fewer requests at once.',
  }),
  'too many': new ApiError(
    'too_many_at_once',
    `${MAX_WAITING} requests of this API key or address wait for their turn.`,
    {
      hint: 'Retry after Retry-After seconds, and send fewer requests at once.',
    },
  ),
};

// The query of an alert: a query string of the listing, parsed by the parser of the listing itself.

import { TA_CUR } from '../domain/datasets.ts';
import { ApiError } from '../errors.ts';
import { parsePlan } from '../query/parse/parse-plan.ts';
import type { Plan } from '../query/parse/plan.ts';

/** Active assets are compared from one publication to the next, so that a page or a day of its own means nothing. */
const REFUSED = ['page', 'as_of', 'inactive', 'format', 'meta', 'api_key'] as const;

/** Throws an ApiError that names the parameter. A leading `?` is ignored. */
export function parseAlertQuery(query: string): Plan {
  const text = query.replace(/^\?/, '');
  const given = new URLSearchParams(text);
  const refused = REFUSED.find(name => given.has(name));
  if (refused !== undefined) {
    throw new ApiError('invalid_value', `The query of an alert cannot have ${refused}.`, {
      param: refused,
      hint: 'An alert compares all rows that match, or the first ones with sort, order and limit.',
    });
  }
  return parsePlan(TA_CUR, text);
}

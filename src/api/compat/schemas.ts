// Schemas of values that several answers in the shapes of other services have.

import type { JsonObject } from '../json-schema.ts';

export const NUMBER: JsonObject = { type: ['number', 'null'] };
export const COUNT: JsonObject = { type: ['integer', 'null'] };
export const TEXT: JsonObject = { type: 'string' };
export const TEXT_OR_NULL: JsonObject = { type: ['string', 'null'] };
export const TIME: JsonObject = { type: ['string', 'null'], format: 'date-time' };
export const FLAG: JsonObject = { type: 'boolean' };
/** What the service never has. */
export const NEVER: JsonObject = { type: 'null' };
/** A list that is always empty. */
export const NONE: JsonObject = { type: 'array', maxItems: 0 };

/** The same schema for each of these names. */
export function each(names: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(names.map(name => [name, schema]));
}

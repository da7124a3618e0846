// Examples: real responses of the demo. `npm run examples` writes examples.json, and a test compares it.

import type { ErrorCode } from '../../errors.ts';
import type { JsonObject } from '../json-schema.ts';
import answers from './examples.json' with { type: 'json' };

export interface ExampleAnswer {
  /** Its name in the document, unique per operation. */
  readonly name: string;
  readonly operation: string;
  readonly summary: string;
  /** Path and query, as sent. */
  readonly request: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

export const EXAMPLES: readonly ExampleAnswer[] = answers;

/** The responses of an operation with status 200, as the `examples` of a media type; empty if there are none. */
export function answerExamples(operation: string, mediaType: string): { examples?: JsonObject } {
  const found = EXAMPLES.filter(
    example => example.operation === operation && example.status === 200 && example.mediaType === mediaType,
  );
  if (found.length === 0) return {};
  const entries = found.map(({ name, summary, request, body }) => [
    name,
    { summary, description: `GET ${request}`, value: body },
  ]);
  return { examples: Object.fromEntries(entries) };
}

export function problemExample(operation: string, code: ErrorCode): JsonObject | null {
  const found = EXAMPLES.find(
    ({ operation: of, body }) => of === operation && isObject(body) && body['error'] === true && body['code'] === code,
  );
  return found !== undefined && isObject(found.body) ? found.body : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

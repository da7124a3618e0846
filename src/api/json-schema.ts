// Helpers for the parts of JSON Schema 2020-12 and OpenAPI 3.1 that the document uses.

/** A schema, or another object of the document. */
export interface JsonObject {
  readonly [keyword: string]: unknown;
}

/** Components by kind and name, such as `#/components/schemas/Problem`. */
export function ref(kind: 'schemas' | 'headers' | 'parameters', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** An object with exactly these members, every one of them required unless listed as optional. */
export function exactly(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter(name => !optional.includes(name)),
    additionalProperties: false,
  };
}

export function listOf(items: JsonObject, description: string): JsonObject {
  return { type: 'array', items, description };
}

/** A scalar of a JSON type, or null. */
export function nullable(type: string, description: string, more: JsonObject = {}): JsonObject {
  return { type: [type, 'null'], description, ...more };
}

/** `ta-cur/stats` to `TaCurStats`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A parameter of a path, as OpenAPI describes it. */
export function pathParameter(name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { name, in: 'path', required: true, description, schema };
}

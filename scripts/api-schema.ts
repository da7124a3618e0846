// The OpenAPI document and the catalogue of the service, as the generators of the clients' types read them.

import { catalogBody } from '../src/api/endpoints/catalog.ts';
import { ENDPOINTS } from '../src/api/endpoints.ts';
import { openApiDocument } from '../src/api/openapi/document.ts';

/** What the document uses of JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Partial<Parameter>[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface CatalogDataset {
  readonly name: string;
  readonly path: string;
  readonly columns: readonly { readonly name: string; readonly group?: string }[] | null;
}

export interface ApiSchema extends Document {
  readonly datasets: readonly CatalogDataset[];
}

export function apiSchema(): ApiSchema {
  // Both are made of JSON values only.
  const document = openApiDocument(ENDPOINTS, 'crypto', null) as unknown as Document;
  const { datasets } = JSON.parse(catalogBody('crypto', []).toString()) as Pick<ApiSchema, 'datasets'>;
  return { ...document, datasets };
}

/** `format` is what the client reads; headers are options. */
export function queryParameters(parameters: readonly Partial<Parameter>[]): Parameter[] {
  return parameters.filter((each): each is Parameter => each.in === 'query' && each.name !== 'format');
}

/** The names that the schema lists, without the pattern of those that it cannot list. */
export function listed(schema: Schema): Schema {
  return schema.anyOf?.[0] ?? schema;
}

const FILTER_TYPES = ['NumberFilter', 'NotNullFilter', 'FlagFilter'] as const;
export type FilterType = (typeof FILTER_TYPES)[number];

/** The type of a parameter that filters by the column of its name; undefined for any other parameter. */
export function filterType({ $ref }: Schema): FilterType | undefined {
  return FILTER_TYPES.find(name => $ref?.endsWith(`/${name}`));
}

/** The schemas besides those of datasets. */
export function documents({ components }: ApiSchema): [name: string, schema: Schema][] {
  return Object.entries(components.schemas).filter(([name]) => !/(?:Row|Listing|Filter)$/.test(name));
}

/** Finds types that are written twice, so that the second can refer to the first. */
export class Declared {
  readonly #names = new Map<string, string>();
  readonly #types: { readonly name: string; readonly base: string; readonly members: readonly string[] }[] = [];

  /** The name of the first type with the same text; undefined if this is the first one. */
  before(name: string, text: string): string | undefined {
    const first = this.#names.get(text);
    if (first === undefined) this.#names.set(text, name);
    return first;
  }

  /** The first type with the same base whose members are all among these, and the rest; undefined if there is none. */
  within(
    name: string,
    base: string,
    members: readonly string[],
  ): { readonly name: string; readonly rest: readonly string[] } | undefined {
    const first = this.#types.find(type => type.base === base && type.members.every(each => members.includes(each)));
    if (first !== undefined) return { name: first.name, rest: members.filter(each => !first.members.includes(each)) };
    this.#types.push({ name, base, members });
    return undefined;
  }
}

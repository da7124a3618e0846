// Checks answers of the service against its own OpenAPI document, for every test that talks HTTP.

import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ENDPOINTS } from '../../src/api/endpoints.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { PREFLIGHT_HEADERS } from '../../src/api/openapi/response-headers.ts';
import { isOptional } from '../../src/domain/columns.ts';
import { DATASETS } from '../../src/domain/datasets.ts';

interface MediaType {
  readonly schema: object;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
}

export type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** Of HTTP itself, and the content type, which the document has elsewhere. */
const OF_HTTP = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** What the parser below the framework answers, without the headers of the service. */
const BELOW_THE_FRAMEWORK = ['bad_request', 'request_timeout', 'headers_too_large'];

export class ApiContract {
  readonly document: ApiDocument;
  readonly #group: string;
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, strictRequired: false });

  constructor(group = 'crypto') {
    this.#group = group;
    // Written by our own code as an object with these members; the tests check them.
    this.document = openApiDocument(ENDPOINTS, group, null) as unknown as ApiDocument;
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(Object.keys(this.document));
    this.#ajv.addSchema(this.document, 'openapi', false, false);
  }

  /**
   * Fails unless the document allows this answer. `path` may have a query; `body` is the bytes as sent, or the
   * text, or what it parses to.
   * Where no operation has the path, only an error is allowed.
   */
  assertValidAnswer(path: string, method: string, status: number, headers: Headers, body: unknown): void {
    const where = `${method} ${path} with ${status}`;
    if (method === 'OPTIONS') {
      assertPreflight(where, status, headers);
      return;
    }
    const { at, response } = this.#documented(where, path, status);
    const parsed = method === 'HEAD' ? undefined : parsedBody(headers, body);
    assertHeaders(where, response, headers, BELOW_THE_FRAMEWORK.includes(String(member(parsed, 'code'))));
    if (response.content === undefined || method === 'HEAD') {
      assert.ok(isEmpty(body), `${where} has a body`);
      return;
    }
    const mediaType = mediaTypeOf(headers);
    assert.ok(mediaType in response.content, `${where} has the undocumented content type ${mediaType}`);
    this.#assertSchema(where, [...at, 'content', mediaType, 'schema'], parsed);
    if (mediaType === 'application/problem+json') assert.equal(member(parsed, 'status'), status, where);
    if (status === 200 && mediaType === 'application/json') this.#assertAllColumns(where, path, parsed);
  }

  /** What the document says of the answer, and where it says so. */
  #documented(where: string, path: string, status: number): { at: string[]; response: DocumentedResponse } {
    const [template, operation] = this.#operationAt(path) ?? [];
    const key = operation !== undefined && String(status) in operation.responses ? String(status) : 'default';
    assert.ok(key !== 'default' || status >= 400, `${where} is not documented`);
    // Where there is no operation, errors are those that can happen to any request.
    const known = template ?? '/healthz';
    const { get, post } = this.document.paths[known]!;
    const response = (get ?? post)!.responses[key]!;
    return { at: ['paths', known, get === undefined ? 'post' : 'get', 'responses', key], response };
  }

  /** The document's path for a path of a request, and its operation. */
  #operationAt(path: string): [string, Operation] | null {
    // A slash at the end of a data path is ignored.
    const segments = (path.split('?', 1)[0] ?? '')
      .replace(/(?<=^\/(?:v1|coingecko|coinpaprika)\/.+)\/$/, '')
      .split('/');
    const fits = (template: string) => {
      const parts = template.split('/');
      return parts.length === segments.length && parts.every((part, i) => part === segments[i] || part.startsWith('{'));
    };
    const found = Object.entries(this.document.paths).find(([template]) => fits(template));
    return found === undefined ? null : [found[0], (found[1].get ?? found[1].post)!];
  }

  #assertSchema(where: string, at: readonly string[], value: unknown): void {
    const pointer = at.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = this.#validator(`openapi#/${pointer}`);
    assert.ok(validate(value), `${where}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #validator(reference: string): ValidateFunction {
    const found = this.#ajv.getSchema(reference);
    assert.ok(found, `the document has nothing at ${reference}`);
    return found;
  }

  /** The schema of a row requires nothing, because columns can be left out; where none is, all must be there, in order. */
  #assertAllColumns(where: string, path: string, body: unknown): void {
    const dataset = DATASETS.find(({ name }) => path.split('?', 1)[0] === `/v1/${this.#group}/${name}`);
    if (dataset === undefined || /[?&](?:excl|incl)_cols(?:\[\]|%5B%5D)?=/.test(path)) return;
    const computed = [...path.matchAll(/[?&]calc=([a-z0-9_]+)/g)].map(match => match[1]);
    const names = [...dataset.columns.filter(column => !isOptional(column)).map(column => column.name), ...computed];
    const rows = member(body, 'result');
    assert.ok(Array.isArray(rows), where);
    for (const row of rows) assert.deepEqual(Object.keys(row), names, where);
  }
}

const contracts = new Map<string, ApiContract>();

/** The same without the rest. */
export function assertValidAnswer(
  path: string,
  method: string,
  status: number,
  headers: Headers,
  body: unknown,
  group = 'crypto',
): void {
  const contract = contracts.get(group) ?? new ApiContract(group);
  contracts.set(group, contract);
  contract.assertValidAnswer(path, method, status, headers, body);
}

function assertPreflight(where: string, status: number, headers: Headers): void {
  assert.equal(status, 204, where);
  for (const name of PREFLIGHT_HEADERS) assert.ok(headers[name.toLowerCase()] !== undefined, `${where} lacks ${name}`);
}

function assertHeaders(where: string, documented: DocumentedResponse, headers: Headers, belowFramework: boolean): void {
  const known = Object.keys(documented.headers ?? {}).map(name => name.toLowerCase());
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OF_HTTP.includes(name.toLowerCase())) continue;
    assert.ok(known.includes(name.toLowerCase()), `${where} has the undocumented header ${name}`);
  }
  if (!belowFramework) assert.ok(headers['x-request-id'], `${where} has no X-Request-Id`);
}

function parsedBody(headers: Headers, body: unknown): unknown {
  const text = Buffer.isBuffer(body) ? decompressed(headers, body).toString() : body;
  return typeof text === 'string' && text !== '' && /[/+]json$/.test(mediaTypeOf(headers)) ? JSON.parse(text) : text;
}

function decompressed(headers: Headers, body: Buffer): Buffer {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    default:
      return body;
  }
}

function mediaTypeOf(headers: Headers): string {
  return String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === '' || (Buffer.isBuffer(body) && body.length === 0);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

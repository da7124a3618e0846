// Asks the demo in the shapes of other services, and checks each answer against our document and against theirs.

import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type DemoServer, startDailyDemo } from '../../support/demo-server.ts';
import { assertValidAnswer } from '../../support/openapi.ts';
import type { Answer } from '../../support/service.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);

export type Row = Readonly<Record<string, unknown>>;

export interface CompatDemo {
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The body of an answer that has the published schema. */
  read<T>(path: string, schema: object): Promise<T>;
  /** The body of an error. */
  fail(path: string, status: number): Promise<unknown>;
  /** Of a path that our document does not have. */
  missing(path: string, headers: Readonly<Record<string, string>>): Promise<Answer>;
  /** The rows of one of our own datasets. */
  rows(path: string): Promise<Row[]>;
  /** The body of another path of ours. */
  own(path: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function startCompat(base: string, demo?: DemoServer): Promise<CompatDemo> {
  const server = demo ?? (await startDailyDemo());
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await server.ask(path, { headers });
    // Two slashes are one.
    assertValidAnswer(path.replaceAll('//', '/'), 'GET', answer.status, answer.headers, answer.body);
    return answer;
  };
  return {
    ask: (path, headers) => ask(base + path, headers),
    async read<T>(path: string, schema: object): Promise<T> {
      const { status, text } = await ask(base + path);
      assert.equal(status, 200, text);
      const value = JSON.parse(text);
      const isValid: boolean = ajv.validate(schema, value);
      assert.ok(isValid, `${path}: ${ajv.errorsText()}`);
      return value;
    },
    async fail(path, status) {
      const answer = await ask(base + path);
      assert.equal(answer.status, status, answer.text);
      return JSON.parse(answer.text);
    },
    missing: (path, headers) => server.ask(base + path, { headers }),
    rows: async path => JSON.parse((await ask(`/v1/crypto/${path}`)).text).result,
    own: async path => JSON.parse((await ask(path)).text),
    close: () => server.close(),
  };
}

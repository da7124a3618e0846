// Writes the examples of the OpenAPI document and of the README: real answers of the demo on a fixed day. `npm run examples`.
//
// A test asks the same questions again and compares the answers, so that the examples cannot become untrue.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleRequests } from '../src/api/endpoint.ts';
import { ENDPOINTS } from '../src/api/endpoints.ts';
import type { ExampleAnswer } from '../src/api/openapi/examples.ts';
import { type DemoServer, startDemo } from '../test/support/demo-server.ts';

type Question = Pick<ExampleAnswer, 'operation' | 'name' | 'summary' | 'request'>;

/** As the endpoints declare them. */
const QUESTIONS: readonly Question[] = ENDPOINTS.flatMap(endpoint =>
  exampleRequests(endpoint).map(example => ({ operation: endpoint.id, ...example })),
);

export function answerAll(demo: DemoServer): Promise<ExampleAnswer[]> {
  return Promise.all(QUESTIONS.map(question => answer(demo, question)));
}

async function answer(demo: DemoServer, question: Question): Promise<ExampleAnswer> {
  const { status, headers, text } = await demo.ask(question.request, { headers: { 'x-request-id': 'example' } });
  const mediaType = headers['content-type']?.toString().split(';')[0] ?? '';
  return {
    ...question,
    status,
    mediaType,
    body: mediaType === 'text/csv' ? text : JSON.parse(text, withFixedTimes),
  };
}

/** What differs from one run to the next: times in milliseconds, and the time at which the demo was published. */
const TIMES: Readonly<Record<string, number>> = {
  response_time: 0.412,
  fetch_data_time: 0.287,
  fetch_meta_time: 0.006,
  version: 1_782_820_800_000,
};

function withFixedTimes(member: string, value: unknown): unknown {
  return value === 0 ? 0 : (TIMES[member] ?? value);
}

/** What the README shows. */
export interface Shown {
  readonly listing: { readonly request: string; readonly rows: readonly Readonly<Record<string, string | number>>[] };
  readonly explanation: {
    readonly request: string;
    readonly symbol: string;
    readonly column: string;
    readonly value: number;
    readonly unit: string;
    readonly formula: string;
    readonly closes: readonly number[];
    readonly exact: string;
    readonly relative_error: number;
  };
}

export async function shownInReadme(demo: DemoServer): Promise<Shown> {
  const listing = `/v1/crypto/ta-cur?limit=5&sort=change7&[sma50]>:[sma200]&price=1:`;
  const { result } = JSON.parse((await demo.ask(listing)).text);
  const request = '/v1/crypto/explain/ALDM/vol5';
  const { symbol, column, value, unit, formula, inputs, exact, relative_error } = JSON.parse(
    (await demo.ask(request)).text,
  );
  const closes = (inputs as readonly { close: number }[]).map(({ close }) => close);
  return {
    listing: { request: listing, rows: result },
    explanation: { request, symbol, column, value, unit, formula, closes, exact, relative_error },
  };
}

if (import.meta.main) {
  const demo = await startDemo();
  const file = join(import.meta.dirname, '../src/api/openapi/examples.json');
  writeFileSync(file, `${JSON.stringify(await answerAll(demo), null, 2)}\n`);
  const shown = join(import.meta.dirname, '../docs/reports/readme.json');
  writeFileSync(shown, `${JSON.stringify(await shownInReadme(demo), null, 2)}\n`);
  await demo.close();
  process.stdout.write("updated the examples; 'npm run fix' formats them\n");
}

// Writes the examples of the OpenAPI document: real answers of the demo on a fixed day. `npm run examples`.
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

if (import.meta.main) {
  const demo = await startDemo();
  const file = join(import.meta.dirname, '../src/api/openapi/examples.json');
  writeFileSync(file, `${JSON.stringify(await answerAll(demo), null, 2)}\n`);
  await demo.close();
  process.stdout.write("updated the examples; 'npm run fix' formats them\n");
}

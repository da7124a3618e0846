// Writes the examples of the OpenAPI document and of the README: real answers of the demo on a fixed day. `npm run examples`.
//
// A test asks the same questions again and compares the answers, so that the examples cannot become untrue.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExampleAnswer } from '../src/http/openapi/examples.ts';
import { type DemoServer, startDemo } from '../test/support/demo-server.ts';

type Question = Pick<ExampleAnswer, 'operation' | 'name' | 'summary' | 'request'>;

const LISTING = '/v1/crypto/ta-cur';
const HISTORY = '/v1/crypto/ta-hist';
const BARS = '/v1/crypto/bars';
const PROFILE = '/v1/crypto/assets';

const QUESTIONS: readonly Question[] = [
  ask('listTaCur', 'volatile', 'The most volatile assets above 1 USD', `${LISTING}?limit=2&sort=vol30&price=1:`),
  ask('listTaCur', 'cross', 'The 50-day average above the 200-day one', `${LISTING}?limit=1&[sma50]>:[sma200]`),
  ask(
    'listTaCur',
    'optional',
    'Optional columns: the lowest RSI, with the group range',
    `${LISTING}?limit=1&sort=rsi14&order=asc&incl_cols=rsi14,range`,
  ),
  ask('listTaCur', 'csv', 'As CSV', `${LISTING}?limit=2&sort=price&format=csv`),
  ask('listTaCur', 'typo', 'A misspelt parameter', `${LISTING}?limt=2`),
  ask('listTaCur', 'twice', 'A parameter given twice', `${LISTING}?page=1&page=2`),
  ask('listTaCur', 'value', 'A value that the parameter does not take', `${LISTING}?limit=0`),
  ask('listTaCur', 'column', 'A column that is not there', `${LISTING}?sort=sma60`),
  ask('listTaCur', 'text', 'A range of texts', `${LISTING}?range=symbol:1:2`),
  ask('listTaCur', 'range', 'A range the wrong way round', `${LISTING}?price=100:10`),
  ask('listTaCur', 'comparison', 'A comparison without its colon', `${LISTING}?[sma50]>[sma200]`),
  ask('listTaHist', 'days', 'Two days of one asset', `${HISTORY}?symbol=ALDM&from=2026-06-29&to=2026-06-30`),
  ask('listTaHist', 'csv', 'As CSV', `${HISTORY}?id=aldm-aldermoor&from=2026-06-01&limit=2&order=asc&format=csv`),
  ask('listTaHist', 'missing', 'Without an asset', `${HISTORY}?from=2026-06-01`),
  ask('listTaHist', 'conflict', 'An asset named twice', `${HISTORY}?symbol=ALDM&id=aldm-aldermoor`),
  ask(
    'listTaHist',
    'days-reversed',
    'Days the wrong way round',
    `${HISTORY}?symbol=ALDM&from=2026-06-30&to=2026-06-01`,
  ),
  ask('listTaHist', 'unknown', 'A ticker that nothing has', `${HISTORY}?symbol=NOBODY`),
  ask('listBars', 'weeks', 'Two weeks of one asset', `${BARS}?symbol=ALDM&interval=1w&limit=2`),
  ask('listBars', 'csv', 'As CSV', `${BARS}?id=aldm-aldermoor&interval=1mo&limit=3&format=csv`),
  ask('listAssets', 'search', 'Assets with "dollar" in their name', `${PROFILE}?q=dollar&limit=2`),
  ask('listAssets', 'metadata', 'With metadata', `${PROFILE}?limit=1&meta=true`),
  ask('listAssets', 'csv', 'As CSV', `${PROFILE}?limit=2&format=csv`),
  ask('getAsset', 'profile', 'By id', `${PROFILE}/aldm-aldermoor`),
  ask('getAsset', 'unknown', 'An id that nothing has', `${PROFILE}/aldm-aldermor`),
  ask('getCoin', 'profile', 'By ticker', '/v1/coins/ALDM'),
  ask('getHealth', 'alive', 'Alive', '/healthz'),
  ask('getReadiness', 'ready', 'Ready', '/readyz'),
];

function ask(operation: string, name: string, summary: string, request: string): Question {
  return { operation, name, summary, request };
}

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
  const listing = `${LISTING}?limit=5&sort=change7&[sma50]>:[sma200]&price=1:`;
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
  const file = join(import.meta.dirname, '../src/http/openapi/examples.json');
  writeFileSync(file, `${JSON.stringify(await answerAll(demo), null, 2)}\n`);
  const shown = join(import.meta.dirname, '../docs/reports/readme.json');
  writeFileSync(shown, `${JSON.stringify(await shownInReadme(demo), null, 2)}\n`);
  await demo.close();
  process.stdout.write("updated the examples; 'npm run fix' formats them\n");
}

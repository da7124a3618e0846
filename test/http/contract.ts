// What the contract tests share: the names as the seed lists them, written out so that no test reads them from the code.

import assert from 'node:assert/strict';
import { type Answer, type ServiceOptions, TestService } from '../support/service.ts';
import { marketSource, NOW } from './market.ts';

export const LISTING = '/v1/crypto/ta-cur';
export const HISTORY = '/v1/crypto/ta-hist';
export const ASSETS = '/v1/crypto/assets';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface Envelope {
  readonly error: boolean;
  readonly response_time: number;
  readonly results_returned: number;
  readonly result: readonly Row[];
  readonly datetimeUTC: string;
  readonly metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  readonly fetch_meta_time: number;
  readonly fetch_data_time: number;
  readonly next: string | null;
  readonly prev: string | null;
}

export interface Problem {
  readonly error: boolean;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly param?: string;
  readonly hint?: string;
  readonly candidates?: readonly string[];
  readonly request_id: string;
  readonly datetimeUTC: string;
}

const words = (text: string) => text.trim().split(/\s+/);

export const ENVELOPE_FIELDS = words(
  'error response_time results_returned result datetimeUTC metadata fetch_meta_time fetch_data_time next prev',
);

export const CHANGE_FIELDS = words(
  'change1 change5 change7 change10 change20 change30 change50 change90 change180 change365',
);

export const ROW_FIELDS = [
  ...words('datetimeUTC symbol price'),
  ...CHANGE_FIELDS,
  ...words('sma5 sma7 sma10 sma20 sma30 sma50 sma100 sma200 sma365'),
  ...words('var5 var7 var10 var20 var30 var50 vol5 vol7 vol10 vol20 vol30 vol50'),
];

export { OPTIONAL_FIELDS } from '../support/optional-fields.ts';

export const ASSET_FIELDS = words('id name symbol rank is_new is_active type first_data_at last_data_at');

export const PROFILE_FIELDS = words(
  `id name symbol rank is_new is_active type tags team description message open_source started_at development_status
   hardware_wallet proof_type org_structure hash_algorithm links links_extended whitepaper first_data_at`,
);

/** The service on the whole market, at a fixed time. */
export function startContractService(options: ServiceOptions = {}): Promise<TestService> {
  return TestService.start({ sources: [marketSource()], now: () => NOW, ...options });
}

/** Every row of a listing, by its tie breaker. */
export async function allRows(service: TestService, path = LISTING): Promise<readonly Row[]> {
  const by = path === LISTING ? 'symbol' : 'id';
  return (await service.get<Envelope>(`${path}?limit=100000&sort=${by}&order=asc`)).result;
}

/** The optional columns that the file of a whole listing has. */
export const FACTS = 'incl_cols=rank,supply,market_cap,history';

export async function symbols(service: TestService, query: string): Promise<Cell[]> {
  const { result } = await service.get<Envelope>(`${LISTING}?limit=1000&sort=symbol&order=asc&${query}`);
  return result.map(row => row['symbol']!);
}

/** The answer must be this problem; the members that every problem has are checked too. */
export function assertProblem(answer: Answer, status: number, code: string, param?: string): Problem {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  const problem = answer.json<Problem>();
  assert.deepEqual(
    { error: problem.error, status: problem.status, code: problem.code, param: problem.param },
    { error: true, status, code, param },
  );
  assert.equal(problem.type, `/docs#error-${code}`);
  for (const member of ['title', 'detail', 'request_id'] as const) assert.match(problem[member], /\S/);
  assert.match(problem.datetimeUTC, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  return problem;
}

/** A refusal of a message of JSON-RPC: the problem is the `data` of its error. */
export function assertRpcProblem(answer: Answer, status: number, code: string): Problem {
  assert.deepEqual([answer.headers['content-type'], answer.status], ['application/json', status], answer.text);
  const { jsonrpc, id, error } = answer.json<{ jsonrpc: string; id: null; error: RpcError }>();
  assert.deepEqual([jsonrpc, id, error.code], ['2.0', null, code === 'internal' ? -32_603 : -32_000]);
  const { data } = error;
  assert.deepEqual([data.error, data.status, data.code, data.type], [true, status, code, `/docs#error-${code}`]);
  assert.ok(error.message.startsWith(data.detail), error.message);
  assert.equal(data.request_id, answer.headers['x-request-id']);
  return data;
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: Problem;
}

/** By code point, the way in which texts are sorted. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

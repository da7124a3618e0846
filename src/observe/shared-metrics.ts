// What every thread counts, in memory that all of them share, so that whichever is asked for `/metrics` answers for all.
//
// Each thread has an area of its own, which it alone writes: adding is one plain addition, and reading is a sum over the
// areas. (A double lies at a multiple of its size, so it is read whole or not at all on every processor that Node runs on.)
// A thread that takes the place of another goes on in its area: a counter never falls.

import { TOOL_NAMES, type ToolName } from '../domain/tool-names.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { CELL_NAMES, type CellName, isGauge } from './cells.ts';

/** Seconds. From an answer out of memory to one that has long lost its client. */
export const BUCKETS = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'other'] as const;
/** Every status that the service sends; 0 stands for one that is not among them. */
export const STATUSES: readonly number[] = [
  0,
  ...new Set([200, 202, 204, 304, ...Object.values(ERRORS).map(({ status }) => status)]),
];
/** The keys of the table are what its type says. */
export const CODES = Object.keys(ERRORS) as ErrorCode[];
/** How a call of a tool ended. */
export const TOOL_OUTCOMES = ['ok', 'error'] as const;
/** The area of the thread that feeds the others. */
export const MAIN_AREA = 0;

const ROUTES = 64;
const PER_ROUTE = METHODS.length * STATUSES.length;
const PER_DURATION = BUCKETS.length + 2;
const REQUESTS = CELL_NAMES.length;
const DURATIONS = REQUESTS + ROUTES * PER_ROUTE;
const BYTES = DURATIONS + ROUTES * PER_DURATION;
const PROBLEMS = BYTES + ROUTES;
const TOOL_CALLS = PROBLEMS + CODES.length;
/** Whole cache lines, or two threads would slow each other down at the border of their areas. */
const AREA = Math.ceil((TOOL_CALLS + TOOL_NAMES.length * TOOL_OUTCOMES.length) / 16) * 16;

const cellAt = Object.fromEntries(CELL_NAMES.map((name, at) => [name, at])) as Record<CellName, number>; // all of them
const methodAt = new Map<string | undefined, number>(METHODS.map((method, at) => [method, at]));
const statusAt = new Uint8Array(1000);
for (const [at, status] of STATUSES.entries()) statusAt[status] = at;
const codeAt = new Map<ErrorCode, number>(CODES.map((code, at) => [code, at]));

export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

function toolCallAt(tool: number, outcome: number): number {
  return TOOL_CALLS + tool * TOOL_OUTCOMES.length + outcome;
}

export class SharedMetrics {
  readonly buffer: SharedArrayBuffer;
  readonly #own: Float64Array;
  readonly #routes = new Map<string, number>();

  static bufferFor(areas: number): SharedArrayBuffer {
    return new SharedArrayBuffer(areas * AREA * 8);
  }

  constructor(buffer: SharedArrayBuffer, area: number) {
    this.buffer = buffer;
    this.#own = new Float64Array(buffer, area * AREA * 8, AREA);
  }

  get areas(): number {
    return this.buffer.byteLength / (AREA * 8);
  }

  get routes(): string[] {
    return [...this.#routes.keys()];
  }

  /** Every thread names the same ones in the same order, before the first request. */
  nameRoutes(labels: readonly string[]): void {
    for (const label of labels) if (!this.#routes.has(label)) this.#routes.set(label, this.#routes.size);
    if (this.#routes.size > ROUTES) throw new RangeError(`there is room for the metrics of ${ROUTES} routes`);
  }

  add(cell: CellName, amount = 1): void {
    this.#own[cellAt[cell]]! += amount;
  }

  set(cell: CellName, value: number): void {
    this.#own[cellAt[cell]] = value;
  }

  countRequest(route: string, method: string | undefined, status: number, seconds: number, bytes: number): void {
    const own = this.#own;
    const at = this.#routes.get(route)!;
    const way = methodAt.get(method) ?? METHODS.length - 1;
    own[REQUESTS + at * PER_ROUTE + way * STATUSES.length + statusAt[status]!]! += 1;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    const duration = DURATIONS + at * PER_DURATION;
    own[duration + bucket]! += 1;
    own[duration + PER_DURATION - 1]! += seconds;
    own[BYTES + at]! += bytes;
  }

  countProblem(code: ErrorCode): void {
    this.#own[PROBLEMS + codeAt.get(code)!]! += 1;
  }

  countToolCall(tool: ToolName, outcome: ToolOutcome): void {
    this.#own[toolCallAt(TOOL_NAMES.indexOf(tool), TOOL_OUTCOMES.indexOf(outcome))]! += 1;
  }

  // Reading

  cell(name: CellName, area: number): number {
    return new Float64Array(this.buffer, (area * AREA + cellAt[name]) * 8, 1)[0]!;
  }

  cellSum(name: CellName): number {
    return this.#sum(cellAt[name]);
  }

  requests(route: number, method: number, status: number): number {
    return this.#sum(REQUESTS + route * PER_ROUTE + method * STATUSES.length + status);
  }

  /** Of each bucket by itself, with the one beyond the last bound. */
  durations(route: number): number[] {
    return Array.from({ length: BUCKETS.length + 1 }, (_, i) => this.#sum(DURATIONS + route * PER_DURATION + i));
  }

  secondsSum(route: number): number {
    return this.#sum(DURATIONS + (route + 1) * PER_DURATION - 1);
  }

  bytesSum(route: number): number {
    return this.#sum(BYTES + route);
  }

  problems(code: number): number {
    return this.#sum(PROBLEMS + code);
  }

  toolCalls(tool: number, outcome: number): number {
    return this.#sum(toolCallAt(tool, outcome));
  }

  /** The thread of this area is gone, and with it what it had open. */
  clearGauges(area: number): void {
    const words = new Float64Array(this.buffer, area * AREA * 8, AREA);
    for (const name of CELL_NAMES) if (isGauge(name)) words[cellAt[name]] = 0;
  }

  #sum(at: number): number {
    const all = new Float64Array(this.buffer);
    let sum = 0;
    for (let i = at; i < all.length; i += AREA) sum += all[i]!;
    return sum;
  }
}

// What an answer is judged by: the states of the market that it may be of.

import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { COLUMNS } from '../../../src/domain/catalogue.ts';
import { pick } from '../../support/market.ts';
import type { AskOptions, Reply, SoakClient } from './client.ts';
import type { MarketState, Row } from './market.ts';
import type { World } from './world.ts';

const ROWS_CHECKED = 3;

/** The machine is busy, and the service refuses requests instead of delaying all of them. */
export class Shed extends Error {}

export async function asked(client: SoakClient, path: string, options: AskOptions = {}): Promise<Reply> {
  const reply = await client.ask(path, options);
  if (reply.status === 503 && codeOf(reply) === 'overloaded') throw new Shed();
  return reply;
}

export function codeOf({ body }: Reply): unknown {
  return JSON.parse(body.toString()).code;
}

/** Fails unless the answer is right for one of the states that may be seen. */
export function assertOneOf(world: World, oldest: number, fault: (state: MarketState) => string | null): void {
  const faults: string[] = [];
  for (const state of world.since(oldest)) {
    const found = fault(state);
    if (found === null) return;
    faults.push(`as of load ${state.number}: ${found}`);
  }
  assert.fail(faults.join('; '));
}

export function rowsFault(
  state: MarketState,
  rows: readonly Row[],
  expected: readonly string[],
  world: World,
): string | null {
  const symbols = rows.map(row => row['symbol']);
  const differs = expected.findIndex((symbol, i) => symbols[i] !== symbol);
  if (differs >= 0) return `row ${differs} is of ${symbols[differs]} and must be of ${expected[differs]}`;
  if (symbols.length !== expected.length) return `${symbols.length} rows instead of ${expected.length}`;
  for (let i = 0; i < Math.min(ROWS_CHECKED, rows.length); i++) {
    const fault = state.fault(pick(world.random, rows));
    if (fault !== null) return fault;
  }
  return null;
}

export function jsonRows(body: Buffer): Row[] {
  const { error, result, results_returned: count } = JSON.parse(body.toString());
  assert.equal(error, false);
  assert.equal(result.length, count);
  return result;
}

export function csvRows(body: Buffer): Row[] {
  const texts: Record<string, string>[] = parse(body, { columns: true });
  const isText = new Set<string>(COLUMNS.filter(({ type }) => type === 'string').map(({ name }) => name));
  const value = (name: string, text: string) => (isText.has(name) ? text : text === '' ? null : Number(text));
  return texts.map(row => Object.fromEntries(Object.entries(row).map(([name, text]) => [name, value(name, text)])));
}

// Many random requests against the stores, one after the other, each from a seed of its own.

import { AssertionError } from 'node:assert/strict';
import { Chance } from '../contract/query/chance.ts';
import { brokenInvariant, type Compared, differenceOf, pathOf } from './agreement.ts';
import { type Request, randomRequest } from './requests.ts';
import { shrunk } from './shrink.ts';
import { AgreeStores } from './stores.ts';

export interface AgreeOptions {
  readonly seed: number;
  /** Of the first request. */
  readonly first: number;
  readonly count: number;
  readonly assets?: number;
  /** Ends earlier after so many milliseconds. */
  readonly millis?: number;
  readonly onDone?: (done: number) => void;
}

export interface Difference {
  readonly command: string;
  /** Of the request as small as it still fails; null if all rows of a view are wrong already. */
  readonly path: string | null;
  readonly what: string;
}

export interface AgreeResult extends Compared {
  readonly differences: readonly Difference[];
}

/** Assets of the market: more than a word of a bitmap, few enough that a scan takes no time. */
export const ASSETS = 90;
/** One request of so many is also checked for the invariants, which take about ten requests. */
const INVARIANTS = 4;
const MANY_DIFFERENCES = 5;
/** Requests at once: while the servers answer some, the scan answers others. */
const AT_ONCE = 6;

export async function agree({ seed, first, count, assets = ASSETS, onDone }: AgreeOptions): Promise<AgreeResult> {
  const stores = await AgreeStores.start(seed, assets);
  const compared: Compared = { requests: 0, byDuckDb: 0, withInterval: 0, withQuote: 0, rows: 0 };
  const differences: Difference[] = [];
  try {
    const one = async (i: number) => {
      const options = `--seed ${seed}${assets === ASSETS ? '' : ` --assets ${assets}`} --first ${i}`;
      const request = await wrongTable(randomRequest(stores.known, new Chance(seed * 1_000_003 + i)));
      if (typeof request === 'string') {
        differences.push({ command: `npm run agree -- ${options} --count 1`, path: null, what: request });
        return;
      }
      const check = async (each: Request) =>
        (await differenceOf(stores, each, compared)) ??
        (i % INVARIANTS === 0 ? await brokenInvariant(stores, each) : null);
      const found = await check(request);
      if (found !== null) differences.push(await explained(request, check, options));
    };
    let next = first;
    const worker = async () => {
      while (next < first + count && differences.length < MANY_DIFFERENCES) {
        await one(next++);
        onDone?.(next - first);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    await stores.close();
  }
  return { ...compared, differences };
}

/** The sentence of the assertion, if the rows that a request is made from are not those of the contract. */
function wrongTable(request: Promise<Request>): Promise<Request | string> {
  return request.catch(error => {
    if (error instanceof AssertionError) return error.message;
    throw error;
  });
}

type Check = (request: Request) => Promise<string | null>;

async function explained(request: Request, check: Check, options: string): Promise<Difference> {
  const known = (each: Request) => check(each).catch(() => null);
  const first = await check(request);
  // A smaller request that is refused is another fault, unless the refusal is the fault.
  const isRefusal = (what: string | null) => /answers \d/.test(what ?? '');
  const smallest = await shrunk(request, async each => {
    const what = await known(each);
    return what !== null && isRefusal(what) === isRefusal(first);
  });
  const what = (await check(smallest)) ?? 'it agrees when it is asked again';
  return { command: `npm run agree -- ${options} --count 1`, path: pathOf(smallest), what };
}

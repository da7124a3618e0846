// What was asked before: parsed plans by the raw query string, so that the same question is read once.
//
// A query that brings a key is read anew each time: no key is ever kept, not even as part of a name.

import { ByteCache } from '../../common/byte-cache.ts';
import type { Dataset } from '../../domain/datasets.ts';
import { parsePlan } from '../../query/parse-plan.ts';
import type { Plan } from '../../query/plan.ts';
import type { Observer } from '../observe/http-observer.ts';
import type { HeaderLines } from '../wire/head.ts';

/** Of a plan with what is prepared for it, beyond its texts. */
const PLAN_BYTES = 2000;

export interface Question {
  readonly plan: Plan;
  /** What was prepared for it last; most questions are asked again with the same limit, in the same format, at the same host. */
  prepared: Prepared | null;
}

/** All of an answer but its rows. It depends on the first four. */
export interface Prepared {
  readonly fingerprint: string;
  readonly limit: number;
  readonly format: 'json' | 'csv';
  readonly base: string;
  readonly tag: string;
  /** Of any answer to it, 304 included. */
  readonly headers: HeaderLines;
  /** Names the rows: two questions that are written differently, but ask for the same, share them. */
  readonly rowsName: string;
  /** What depends on the page that was found; null until it was. */
  links: { readonly inEnvelope: string; readonly headers: HeaderLines } | null;
}

export class Questions {
  readonly #dataset: Dataset;
  readonly #observer: Observer;
  readonly #known: ByteCache<Question>;

  constructor(dataset: Dataset, observer: Observer, maxBytes: number) {
    this.#dataset = dataset;
    this.#observer = observer;
    this.#known = new ByteCache(maxBytes);
  }

  read(query: string): Question {
    const known = this.#known.get(query);
    this.#observer.lookedUp('plan', known !== undefined);
    if (known !== undefined) return known;
    const plan = parsePlan(this.#dataset, query);
    const question: Question = { plan, prepared: null };
    // The query itself, and the links and names that repeat it.
    if (plan.apiKey === null) this.#known.set(query, question, PLAN_BYTES + 10 * query.length);
    return question;
  }
}

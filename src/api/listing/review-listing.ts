// Datasets that are read from the store as they are (`findings`, `actions`): one table per publication, requested on the first request.

import { setTimeout as wait } from 'node:timers/promises';
import type { Dataset } from '../../domain/datasets.ts';
import { attachReviews, type SharedReviews } from '../../history/review-table.ts';
import { forgetRendered } from '../../render/page.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { ServiceContext } from '../context.ts';
import type { Endpoint, Examples } from '../endpoint.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { answerListing } from './answer.ts';
import { listingEndpoint } from './endpoint.ts';
import { planParser } from './plan-cache.ts';
import type { Source } from './source.ts';

/** How long new data may take to reach a server. */
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;

export function reviewEndpoint(
  dataset: Dataset,
  read: (context: ServiceContext) => Promise<SharedReviews>,
  examples: Examples,
): Endpoint {
  return listingEndpoint(dataset, {
    parser: planParser(dataset, CACHE_SHARES.oneAssetPlans),
    examples,
    handle: context => {
      const tables = new ReviewTables(dataset, () => read(context));
      return (request, cached) => {
        const { fingerprint, version } = requireSnapshot(context);
        const table = () => request.slot(() => tables.of(context));
        return answerListing(context, request, cached, { fingerprint, version, table, pages: null });
      };
    },
  });
}

class ReviewTables {
  readonly #dataset: Dataset;
  readonly #read: () => Promise<SharedReviews>;
  #kept: { readonly name: string; readonly source: Promise<Source> } | null = null;

  constructor(dataset: Dataset, read: () => Promise<SharedReviews>) {
    this.#dataset = dataset;
    this.#read = read;
  }

  /** Of the current snapshot: clients that page through the rows read one table. */
  of(context: ServiceContext): Promise<Source> {
    const { fingerprint } = requireSnapshot(context);
    if (this.#kept?.name === fingerprint) return this.#kept.source;
    const before = this.#kept;
    const source = this.#made(context);
    this.#kept = { name: fingerprint, source };
    source.catch(() => {
      this.#kept = null;
    });
    before?.source.then(({ table }) => typeof table !== 'function' && forgetRendered(table)).catch(() => {});
    return source;
  }

  /** The store may be ahead of the snapshot: the response then waits until both agree, or has a name of its own. */
  async #made(context: ServiceContext): Promise<Source> {
    for (const waitUntil = performance.now() + MAX_WAIT_MS; ; await wait(RETRY_MS)) {
      const found = await this.#read();
      const { fingerprint, version } = requireSnapshot(context);
      const isSame = found.version === version;
      if (!isSame && performance.now() <= waitUntil) continue;
      const table = attachReviews(this.#dataset, found);
      return {
        table,
        fingerprint: isSame ? fingerprint : `${fingerprint} ${found.version}`,
        version: found.version,
        pages: null,
      };
    }
  }
}

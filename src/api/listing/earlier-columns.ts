// The columns of earlier periods that the expressions of a listing read (`lag`): each is gathered once per snapshot from the rows of that
// period, which are computed like those of a past day, and kept within a number of bytes.

import type { RunSteps } from '../../common/steps.ts';
import { VersionedCache } from '../../common/versioned-cache.ts';
import type { PastDay } from '../../history/past-snapshot.ts';
import type { Requester } from '../../http/wire/answer.ts';
import { type EarlierValues, earlierOfListing, lagName } from '../../query/execute/earlier-values.ts';
import type { LagNode, RowValues } from '../../query/expression/nodes.ts';
import type { ListedRows } from '../../snapshot/table.ts';
import { perContext, type ServiceContext } from '../context.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** The listing that the lags belong to. */
export interface LaggedListing {
  /** Different for any two listings with different rows. */
  readonly fingerprint: string;
  readonly version: number;
  readonly listed: ListedRows;
}

/** Whom the columns are for. */
export interface EarlierFor {
  readonly requester: Requester;
  readonly run: RunSteps;
}

export interface FoundEarlier {
  readonly values: EarlierValues;
  /** Of the publications that the rows of earlier periods are of: others than that of the listing while a server is behind its store. */
  readonly versions: readonly number[];
}

export class EarlierColumns {
  readonly #context: ServiceContext;
  readonly #kept: VersionedCache<RowValues>;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#kept = new VersionedCache(context.earlierBytes);
  }

  /** Those that are kept. */
  known(lags: readonly LagNode[], { fingerprint }: LaggedListing): EarlierValues {
    const kept = this.#kept.of(requireSnapshot(this.#context).fingerprint);
    const values = new Map<string, RowValues>();
    for (const lag of lags) {
      const known = kept.get(`${fingerprint} ${lagName(lag)}`);
      if (known !== undefined) values.set(lagName(lag), known);
    }
    return values;
  }

  /**
   * All of them, one number of periods after the other: the rows of the one before may be dropped to make room for the next. `past`: what
   * the listing shows.
   */
  async get(
    lags: readonly LagNode[],
    listing: LaggedListing,
    past: Omit<PastDay, 'lag'>,
    whom: EarlierFor,
  ): Promise<FoundEarlier> {
    const values = new Map(this.known(lags, listing));
    const versions = [listing.version];
    const missing = lags.filter(lag => !values.has(lagName(lag)));
    for (const [lag, same] of Map.groupBy(missing, ({ periods }) => periods)) {
      const found = await this.#gatherOne(same, listing, { ...past, lag }, whom);
      for (const [name, column] of found.values) values.set(name, column);
      versions.push(found.version);
    }
    return { values, versions };
  }

  /** Once it is done, nothing holds the rows of the earlier period. */
  async #gatherOne(
    lags: readonly LagNode[],
    listing: LaggedListing,
    past: PastDay,
    { requester, run }: EarlierFor,
  ): Promise<{ readonly values: EarlierValues; readonly version: number }> {
    const earlier = await this.#context.past(requireSnapshot(this.#context), past, requester);
    const values = await run(earlierOfListing(lags, listing, earlier));
    if (earlier.version === listing.version) {
      const kept = this.#kept.of(requireSnapshot(this.#context).fingerprint);
      for (const [name, column] of values) {
        kept.set(`${listing.fingerprint} ${name}`, column, column.values.byteLength);
      }
    }
    return { values, version: earlier.version };
  }
}

export const earlierColumnsOf = perContext(context => new EarlierColumns(context));

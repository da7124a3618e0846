// The interface of a tool: what a model reads about it, what it takes, and what it works with.

import type { RunSteps } from '../common/steps.ts';
import type { Dataset } from '../domain/datasets.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { ToolName } from '../domain/tool-names.ts';
import type { AssetReviews } from '../publish/asset-reviews.ts';
import type { EarlierValues } from '../query/execute/earlier-values.ts';
import type { Plan } from '../query/parse/plan.ts';
import type { IndexedAsset, Snapshot, Table } from '../snapshot/table.ts';
import type { Arguments, ArgumentTable } from './arguments.ts';

/** The arguments of a call, as they were sent. */
export type Values = Readonly<Record<string, unknown>>;

/** The data of a service, as the tools read it. Each function throws an ApiError if there is none. */
export interface ToolData {
  /** Path segment of the datasets. */
  readonly group: string;
  /** The prices are simulated. */
  readonly simulated: boolean;
  /** Different for any two snapshots with different content; empty without data. */
  fingerprint(): string;
  snapshot(): Snapshot;
  /** The current listing, or that of a past day, with the values of earlier periods that the plan reads. */
  listing(plan: Plan): ToolListing | Promise<ToolListing>;
  /** The rows of `ta-hist` of an asset. */
  history(asset: IndexedAsset, plan?: Pick<Plan, 'interval' | 'quote' | 'usesOptional'>): Promise<Table>;
  profile(asset: IndexedAsset): Promise<SourcedProfile | null>;
  reviews(asset: IndexedAsset): Promise<AssetReviews>;
}

export interface ToolListing {
  readonly table: Table;
  readonly earlier: EarlierValues;
}

/** What one call has besides its arguments. */
export interface CallContext {
  readonly data: ToolData;
  /** Most rows of an answer. */
  readonly maxRows: number;
  /** `http(s)://HOST[:PORT]` of the REST API; empty if no server is known. */
  readonly baseUrl: string;
  readonly run: RunSteps;
}

export interface NamedAsset {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
}

export interface Tool {
  readonly name: ToolName;
  readonly title: string;
  /** For a model that does not know the service: what the tool is for, one example, what not to do. */
  readonly description: string;
  readonly arguments: ArgumentTable;
  /** A valid call about an asset that exists, shown in errors that cannot be corrected. */
  example(asset: NamedAsset): Values;
  /** Throws what `run` would throw because of the arguments, without the work. */
  check(given: Arguments): void;
  run(given: Arguments, context: CallContext): string | Promise<string>;
}

/** The names that a column argument takes. */
export function columnNames({ columns }: Dataset): string[] {
  return columns.map(({ name }) => name);
}

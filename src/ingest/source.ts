// The interface of every source of prices and profiles.
//
// A source turns what it reads into typed items and refuses, one by one, what cannot be one: a bad line is an item too,
// never an exception. It throws a SourceError only when it cannot continue at all.

import { HintedError } from '../common/hinted-error.ts';
import type { AssetDraft } from '../domain/asset.ts';
import type { BarColumns } from '../domain/bar.ts';
import type { BaseInterval } from '../domain/interval.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import type { FIAT } from '../domain/quote.ts';
import type { Contradiction } from '../quality/inconsistent.ts';
import type { FactRow } from '../store/store.ts';

export interface Source {
  /** Names the source in runs and in `status`: `csv`, `ccxt:binance`, … */
  readonly name: string;
  /** The name under which its bars are kept, if the first word of `name` does not say it. */
  readonly barSource?: string;
  /** Ticker of the benchmark asset of a store that has no rows yet. */
  readonly benchmark?: string;
  /** Fails if the source can say before a load that it has nothing to read, such as for a misspelt file name. */
  check?(): Promise<void>;
  /** Assets with all that the source knows of them. */
  profiles(signal: AbortSignal): AsyncIterable<SourceItem>;
  /** `since` tells which periods of an asset the store has already, so that a repeated pull is short. */
  bars(since: Since, signal: AbortSignal): AsyncIterable<SourceItem>;
}

/** What the store has of an asset, null for an unknown one. The last stored period may have been incomplete: pull it again. */
export type Since = (asset: AssetRef, interval: BaseInterval) => Promise<StoredSpan | null>;

/** Periods. */
export interface StoredSpan {
  readonly first: number;
  readonly last: number;
}

/** How a source names an asset: by its slug where it knows one, otherwise by ticker alone. */
export interface AssetRef {
  readonly id: string | null;
  readonly symbol: string;
  /** A currency of a state, which shares its ticker with no asset. */
  readonly type?: typeof FIAT;
}

/** What a provider's list says of an asset, short of a profile: its name, rank, type and supply are brought or updated. */
export type ListedAsset = Pick<AssetDraft, 'id' | 'symbol' | 'name' | 'rank' | 'type' | 'supply'>;

export type SourceItem =
  | { readonly kind: 'profile'; readonly where: string; readonly sourced: SourcedProfile }
  | { readonly kind: 'asset'; readonly asset: ListedAsset }
  | { readonly kind: 'bars'; readonly batch: BarBatch }
  | { readonly kind: 'facts'; readonly stated: StatedFacts }
  | { readonly kind: 'reject'; readonly reject: Reject }
  /** How the source reads a file, before the first bars of it. */
  | { readonly kind: 'file'; readonly file: FileReading }
  /** Something that a person should know, although all is loaded. */
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'delisted'; readonly asset: AssetRef }
  | {
      readonly kind: 'progress';
      readonly done: number;
      readonly total: number | null;
      readonly unit: 'bytes' | 'assets';
    };

/** What a file says of assets on days, in any order. */
export interface StatedFacts {
  /** Where it comes from; each row has its line in it. */
  readonly origin: string;
  readonly rows: readonly (Omit<FactRow, 'assetNumber'> & { readonly asset: AssetRef; readonly line: number })[];
}

export interface FileReading {
  readonly name: string;
  /** What is read from which column of the file, as people know it: `close: column 5 "Close"`. */
  readonly columns: readonly string[];
  /** From one row of an asset to its next: `1 day`. */
  readonly spacing: string;
  /** What its rows are read as. */
  readonly interval: BaseInterval;
  /** Whether a person or the name of the file said so; otherwise the spacing did. */
  readonly isStated: boolean;
}

/**
 * Bars of one or many assets, in any order, duplicates included (the later one counts). A source may reuse the buffers of a
 * batch after the consumer asked for the next item.
 */
export interface BarBatch extends BarColumns {
  /** Of all its bars; what BarColumns calls a day is a period of it. */
  readonly interval: BaseInterval;
  readonly count: number;
  /** The assets that occur in the batch; `asset[i]` is the index into it for bar i. */
  readonly assets: readonly AssetRef[];
  readonly asset: Uint32Array;
  /** Where the bars come from (a file, an address without secrets), and for each the line or record in it. */
  readonly origin: string;
  readonly line: Uint32Array;
  /** Of bars of this batch or of a later one whose impossible numbers the source has left out already. */
  readonly contradictions?: readonly SourceContradiction[];
}

/** A high or low that contradicts the other prices of its bar. */
export interface SourceContradiction extends Contradiction {
  readonly asset: AssetRef;
  readonly period: number;
}

export const REJECT_REASONS = {
  bad_day: 'the day cannot be read',
  future_day: 'the day, hour or minute has not begun yet',
  bad_number: 'a number cannot be read',
  impossible_number:
    'a number cannot be right, such as a high below the close; it is left out, the rest of its bar is stored',
  bad_price: 'the price is not positive, not finite, or beyond what any asset costs',
  missing_symbol: 'the asset is not named',
  bad_symbol: 'the ticker is too long',
  missing_column: 'a column that is needed is not there',
  broken_row: 'the row has broken quoting or another number of cells than the header',
  repeated: 'the same asset and time came before in the file; the later row counts',
  repeated_differs: 'the same asset and time came before in the file, with another close; the later row counts',
  incomplete_day: 'the rows do not reach the end of the day, or lack some of its hours; the day is left out',
  out_of_order: 'rows of one asset and day do not stand together, in order of time',
  wrong_spacing: 'the rows are not as far apart as the bars of an interval that is stored: 1m, 1h or 1d',
  mixed_spacing: 'the rows are further apart than those before: they are of another interval',
  off_grid: 'the time is not the start of a minute or of an hour',
  bad_encoding: 'the text is not UTF-8',
  truncated: 'the input ends in the middle',
  damaged: 'the archive is damaged, or is not the one that its checksum is of',
  bad_profile: 'a field of the profile is not of its type',
  duplicate_asset: 'an active asset with this ticker and name is stored under another id',
  unknown_asset: 'the asset is not known: to the provider, or for facts to the store',
  refused: 'the provider refuses to answer: quota, plan or pace',
  bad_answer: 'the response of the provider does not have the expected form',
} as const;

export type RejectReason = keyof typeof REJECT_REASONS;

export interface Reject {
  /** File and line, or address and record. */
  readonly where: string;
  readonly reason: RejectReason;
  /** What was found, shortened, and what would be right. */
  readonly detail: string;
}

/** The source cannot go on. `message` says what happened; `hint` what to do about it. */
export class SourceError extends HintedError {
  override readonly name = 'SourceError';
}

/** Flags that contradict each other, or that the source does not know: wrong usage of the program. */
export class SourceUsageError extends SourceError {}

// What the commands about findings have in common: reading them, and publishing what people say about them.

import type { Asset, AssetNumber } from '../domain/asset.ts';
import { asOnlyWriter } from '../ingest/only-writer.ts';
import { type Recomputed, recomputePending } from '../publish/publish-pending.ts';
import { findingNames, type ReviewedFinding, readReviewedFindings } from '../publish/review.ts';
import { separate } from '../publish/sources-of.ts';
import type { Store, StoreTables } from '../store/store.ts';
import { type Invocation, UsageError } from './command.ts';

export interface NamedFindings {
  readonly findings: readonly ReviewedFinding[];
  readonly assets: ReadonlyMap<AssetNumber, Asset>;
  readonly nameOf: (finding: ReviewedFinding) => string;
}

/** All of the store, or of one asset. */
export async function readFindings(store: StoreTables, of?: AssetNumber): Promise<NamedFindings> {
  const { findings, assets } = await readReviewedFindings(store, of === undefined ? {} : { assets: [of] });
  return { findings, assets, nameOf: findingNames(findings, asset => assets.get(asset)?.id ?? `asset ${asset}`) };
}

/**
 * As the only process that writes. Running servers show the result within two seconds. `separated`: assets whose bars are made of those of
 * their sources from now on.
 */
export function published<T>(
  store: Store,
  work: () => Promise<T>,
  separated: readonly AssetNumber[] = [],
): Promise<{ result: T; recomputed: Recomputed }> {
  return asOnlyWriter(store, async () => {
    for (const asset of separated) await separate(store, asset);
    const result = await work();
    return { result, recomputed: await recomputePending(store) };
  });
}

/** Characters. */
const LONGEST_REASON = 500;

export function reasonOf({ options }: Pick<Invocation, 'options'>): string {
  const reason = options['reason'];
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new UsageError("--reason is missing: say why, such as --reason 'a wrong tick; see the exchange'");
  }
  if (reason.length > LONGEST_REASON) throw new UsageError(`--reason: expected at most ${LONGEST_REASON} characters`);
  return reason.trim();
}

export const REASON = { placeholder: 'TEXT', doc: 'Why; it is stored and listed' } as const;

export function positive(text: string, what: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${what}: expected a whole number from 1, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** `2024-03-01 12:30` of an ISO 8601 time. */
export function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

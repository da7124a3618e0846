// The price rules of a store: one for all assets, and those of single assets. They are kept in the store, so that every process that publishes
// uses the same ones; a process that is given others stores them.

import type { AssetNumber } from '../domain/asset.ts';
import { BASE_INTERVALS } from '../domain/interval.ts';
import type { AssetStore, SourceStore, StoredPriceRule } from '../store/store.ts';
import type { PriceRule } from './price-rule.ts';

/** Of a store that was never given one. */
export const DEFAULT_PRICE_RULE: PriceRule = { kind: 'priority', order: [] };

/** The number of no asset: the rule of all that have none of their own. */
const ALL_ASSETS = 0;

export interface PriceRules {
  readonly ofAll: PriceRule;
  /** By asset id. */
  readonly ofAssets: ReadonlyMap<string, PriceRule>;
}

/** The rule of each asset. */
export async function readPriceRules(
  store: Pick<SourceStore, 'priceRules'>,
): Promise<(asset: AssetNumber) => PriceRule> {
  const rules = new Map((await store.priceRules()).map(({ assetNumber, rule }) => [assetNumber, storedRule(rule)]));
  const ofAll = rules.get(ALL_ASSETS) ?? DEFAULT_PRICE_RULE;
  return asset => rules.get(asset) ?? ofAll;
}

function storedRule(value: unknown): PriceRule {
  const { kind, order } = value as Partial<PriceRule>; // written by `storePriceRules`
  return {
    kind: kind === 'median' ? 'median' : 'priority',
    order: Array.isArray(order) ? order.filter(name => typeof name === 'string') : [],
  };
}

export type RulesStore = Pick<SourceStore, 'priceRules' | 'setPriceRules' | 'sources'> & Pick<AssetStore, 'assets'>;

/**
 * Stores these rules if they differ from the stored ones; what they change is then unmerged and pending. A rule of an asset that the store does
 * not have yet counts once it has it. The caller is the only one who writes.
 */
export async function storePriceRules(store: RulesStore, rules: PriceRules): Promise<boolean> {
  const [wanted, before] = [await storedForm(store, rules), await store.priceRules()];
  if (textOf(wanted) === textOf(before)) return false;
  const [now, then] = [ruleTexts(wanted), ruleTexts(before)];
  const separate = (await store.sources()).filter(source => source.separate).map(({ assetNumber }) => assetNumber);
  const changed = [...new Set(separate)].filter(asset => now(asset) !== then(asset));
  await store.setPriceRules(
    wanted,
    changed.flatMap(assetNumber => BASE_INTERVALS.map(interval => ({ assetNumber, interval, firstPeriod: 0 }))),
  );
  return true;
}

/** Whether the store has others. */
export async function hasOtherRules(store: RulesStore, rules: PriceRules): Promise<boolean> {
  return textOf(await storedForm(store, rules)) !== textOf(await store.priceRules());
}

async function storedForm(store: RulesStore, { ofAll, ofAssets }: PriceRules): Promise<StoredPriceRule[]> {
  const rules = [{ assetNumber: ALL_ASSETS, rule: plain(ofAll) }];
  if (ofAssets.size > 0) {
    for (const { id, assetNumber } of await store.assets()) {
      const rule = ofAssets.get(id);
      if (rule !== undefined) rules.push({ assetNumber, rule: plain(rule) });
    }
  }
  return rules;
}

function plain({ kind, order }: PriceRule): PriceRule {
  return { kind, order: [...order] };
}

function ruleTexts(rules: readonly StoredPriceRule[]): (asset: AssetNumber) => string {
  const texts = new Map(rules.map(({ assetNumber, rule }) => [assetNumber, JSON.stringify(storedRule(rule))]));
  return asset => texts.get(asset) ?? texts.get(ALL_ASSETS) ?? JSON.stringify(DEFAULT_PRICE_RULE);
}

/** A store without rules is one with the default rule. */
function textOf(rules: readonly StoredPriceRule[]): string {
  const all = rules.length > 0 ? rules : [{ assetNumber: ALL_ASSETS, rule: DEFAULT_PRICE_RULE }];
  return JSON.stringify(
    all.map(({ assetNumber, rule }) => [assetNumber, storedRule(rule)] as const).toSorted(([a], [b]) => a - b),
  );
}

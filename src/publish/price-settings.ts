// The price rules that a person has set, by flags, environment or the settings file.

import type { PriceRule } from './price-rule.ts';
import { DEFAULT_PRICE_RULE, type PriceRules } from './price-rules.ts';

export interface PriceSettings {
  readonly 'price-rule': string;
  readonly 'source-order': string;
  readonly 'asset-price-rules': string;
  readonly given: ReadonlySet<string>;
}

export const PRICE_SETTINGS = ['price-rule', 'source-order', 'asset-price-rules'] as const;

/** Null if none was set: then those of the store stay. */
export function priceRulesOf(config: PriceSettings): PriceRules | null {
  if (!PRICE_SETTINGS.some(name => config.given.has(name))) return null;
  const order = orderOf(config['source-order']);
  const ofAll: PriceRule = { kind: kindOf(config['price-rule']) ?? DEFAULT_PRICE_RULE.kind, order };
  return { ofAll, ofAssets: new Map(entriesOf(config['asset-price-rules'], order)) };
}

function entriesOf(text: string, order: readonly string[]): [string, PriceRule][] {
  return text
    .split(';')
    .map(part => part.trim())
    .filter(Boolean)
    .map(entry => {
      const [, id, rule, sources = ''] = /^([^\s:;]+)\s*:\s*(\w+)(?:\s+(\S+))?$/.exec(entry) ?? [];
      const kind = rule === undefined ? null : kindOf(rule);
      if (id === undefined || kind === null) throw new PriceRuleError(`'${entry}' is not the price rule of an asset`);
      const own = orderOf(sources);
      const unknown = own.find(name => !isSourceName(name));
      if (unknown !== undefined) throw new PriceRuleError(`'${unknown}' in '${entry}' is not the name of a source`);
      return [id.toLowerCase(), { kind, order: own.length > 0 ? own : order }];
    });
}

function kindOf(text: string): PriceRule['kind'] | null {
  return text === 'priority' || text === 'median' ? text : null;
}

function orderOf(text: string): string[] {
  return [...new Set(text.split(',').filter(Boolean))];
}

/** Lower-case letters, digits, dots, hyphens and underscores. */
export function isSourceName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,31}$/.test(text);
}

export class PriceRuleError extends Error {
  override readonly name = 'PriceRuleError';
  readonly hint = "Example: --asset-price-rules 'btc-bitcoin: median; eth-ethereum: priority kraken,binance'";
}

// Which assets have a row in a listing, by the contract: the active ones, and of several with one ticker the best-ranked.

import type { AgreeAsset, AgreeMarket } from './market.ts';
import type { View } from './requests.ts';

const ACTIVE_DAYS = 7;

export function listedAssets({ assets }: AgreeMarket, { asOf, inactive }: View): AgreeAsset[] {
  const until = asOf === null ? Number.POSITIVE_INFINITY : Date.parse(asOf) / 86_400_000;
  const lastDay = ({ days }: AgreeAsset) => days.findLast(day => day <= until) ?? Number.NEGATIVE_INFINITY;
  const priced = assets.filter(asset => Number.isFinite(lastDay(asset)));
  const newest = Math.max(...priced.map(lastDay));
  // Of a past day, a delisted asset is listed as long as it had closes.
  const isActive = (asset: AgreeAsset) =>
    newest - lastDay(asset) <= ACTIVE_DAYS && !(asset.delisted && (asOf === null || asset.days.at(-1)! < until));
  const listed = priced.filter(asset => inactive || isActive(asset));
  const best = (one: AgreeAsset, other: AgreeAsset) =>
    Number(isActive(other)) - Number(isActive(one)) ||
    (one.rank ?? 1e9) - (other.rank ?? 1e9) ||
    Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
  const byTicker = Map.groupBy(listed, ({ symbol }) => symbol.toUpperCase());
  return [...byTicker.values()].map(same => same.sort(best)[0]!); // a group has a member
}

// The views of a PostgreSQL store that people and other programs read: `docs/how-to/postgres.md` describes them.

import { BLOCK_DAYS } from '../bars/blocks.ts';

/** Also for a store that has an older one, without the last columns. */
export const BARS_DAILY = `
  CREATE OR REPLACE VIEW tidemark.bars_daily AS
  SELECT assets.id AS asset_id, assets.symbol,
    date '1970-01-01' + (${BLOCK_DAYS} * bar_blocks.block + bar.place::integer - 1) AS day,
    bar.open, bar.high, bar.low, bar.close, bar.volume,
    bar_blocks.asset AS asset_number, bar_blocks.block
  FROM tidemark.bar_blocks
  JOIN tidemark.assets ON assets.key = bar_blocks.asset
  CROSS JOIN LATERAL unnest(bar_blocks.open, bar_blocks.high, bar_blocks.low, bar_blocks.close, bar_blocks.volume)
    WITH ORDINALITY AS bar (open, high, low, close, volume, place)
  WHERE bar.close IS NOT NULL;
  COMMENT ON VIEW tidemark.bars_daily IS 'One row per asset and UTC day that a source delivered';
  COMMENT ON COLUMN tidemark.bars_daily.asset_id IS 'Slug of the asset, such as btc-bitcoin';
  COMMENT ON COLUMN tidemark.bars_daily.symbol IS 'Ticker of the asset';
  COMMENT ON COLUMN tidemark.bars_daily.day IS 'The UTC day';
  COMMENT ON COLUMN tidemark.bars_daily.open IS 'First price of the day, USD; NULL if the source does not know it';
  COMMENT ON COLUMN tidemark.bars_daily.high IS 'Highest price of the day, USD; NULL if the source does not know it';
  COMMENT ON COLUMN tidemark.bars_daily.low IS 'Lowest price of the day, USD; NULL if the source does not know it';
  COMMENT ON COLUMN tidemark.bars_daily.close IS 'Last price of the day, USD';
  COMMENT ON COLUMN tidemark.bars_daily.volume IS 'Traded volume of the day, in units of the asset; NULL if the source does not know it';
  COMMENT ON COLUMN tidemark.bars_daily.asset_number IS 'The number of the asset in the tables; Citus finds its worker by it';
  COMMENT ON COLUMN tidemark.bars_daily.block IS
    'Which ${BLOCK_DAYS} days the bar is stored with: (day - date ''1970-01-01'') / ${BLOCK_DAYS}. A condition on it leaves out the other blocks unread';
`;

/** `published-columns.ts` makes the view ta_cur, which follows the catalogue. */
export const VIEWS = `
  ${BARS_DAILY}
  CREATE VIEW tidemark.asset_profiles AS
  SELECT assets.id AS asset_id, assets.symbol, assets.name, assets.rank, assets.type, profiles.profile
  FROM tidemark.profiles JOIN tidemark.assets ON assets.key = profiles.asset;
  COMMENT ON VIEW tidemark.asset_profiles IS 'One row per asset that has a profile';
  COMMENT ON COLUMN tidemark.asset_profiles.asset_id IS 'Slug of the asset, such as btc-bitcoin';
  COMMENT ON COLUMN tidemark.asset_profiles.symbol IS 'Ticker of the asset';
  COMMENT ON COLUMN tidemark.asset_profiles.name IS 'Name of the asset';
  COMMENT ON COLUMN tidemark.asset_profiles.rank IS 'Rank by market capitalisation, 1 being the largest';
  COMMENT ON COLUMN tidemark.asset_profiles.type IS 'Category, such as coin or token';
  COMMENT ON COLUMN tidemark.asset_profiles.profile IS 'The profile as the source gave it: a JSON object with the members of GET /v1/crypto/assets/ID';
`;

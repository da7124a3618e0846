// The tables and views of a PostgreSQL store. `docs/how-to/postgres.md` describes the views for those who read them.
//
// Every table that grows with the assets has the asset in its primary key and refers to no other table, so that it can be
// partitioned or distributed by asset (deploy/citus/setup.sql) without a change in code. The other tables are small.

import { ACTIVE_DAYS } from '../../domain/asset-state.ts';
import { BLOCK_DAYS } from '../bars/blocks.ts';
import { FINE_SERIES, type SeriesLayout } from './series-layout.ts';

/** Stores of the layouts 1 to 9 were never released. */
export const LAYOUT = 14;
/** The oldest layout that `UPGRADES` brings up to date. */
export const OLDEST_LAYOUT = 11;

const ACTIVE_DAYS_COLUMN = `active_days integer NOT NULL DEFAULT ${ACTIVE_DAYS}`;
const ACTIVE_DAYS_COMMENT = `COMMENT ON COLUMN tidemark.meta.active_days IS
  'The setting active-days of the server that started last: an asset whose latest close is older than the newest of all by more days is not in ta_cur';`;

/** Of the tables of bars of every interval. */
const BLOCK_COLUMNS = `asset integer NOT NULL,
    block integer NOT NULL,
    close double precision[] NOT NULL,
    open double precision[],
    high double precision[],
    low double precision[],
    volume double precision[],
    loads integer[],
    PRIMARY KEY (asset, block)`;

/** Of an interval finer than a day. */
function fineTables({ interval, blocks, coverage, replaced }: SeriesLayout): string {
  const since = `${interval === '1h' ? 'hours' : 'minutes'} since 1970-01-01T00:00Z`;
  return `
  CREATE TABLE ${coverage} (
    asset integer PRIMARY KEY,
    first_period integer NOT NULL,
    last_period integer NOT NULL,
    bars integer NOT NULL,
    published_first integer,
    published_last integer
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE ${coverage} IS 'What ${blocks.slice('tidemark.'.length)} has of each asset; one row per asset that has or had such bars';
  COMMENT ON COLUMN ${coverage}.first_period IS 'The oldest bar, in ${since}; without bars it means nothing';
  COMMENT ON COLUMN ${coverage}.last_period IS 'The newest bar, in ${since}';
  COMMENT ON COLUMN ${coverage}.published_first IS 'The oldest bar when the asset was published last; NULL if it had none';
  COMMENT ON COLUMN ${coverage}.published_last IS 'The newest bar when the asset was published last';

  CREATE TABLE ${blocks} (
    ${BLOCK_COLUMNS}
  );
  COMMENT ON TABLE ${blocks} IS 'Bars of ${interval}, ${BLOCK_DAYS} of one asset per row';
  COMMENT ON COLUMN ${blocks}.block IS 'Element i of the arrays belongs to the period ${BLOCK_DAYS} * block + i - 1, in ${since}';
  COMMENT ON COLUMN ${blocks}.close IS 'NULL in periods without a bar';
  COMMENT ON COLUMN ${blocks}.loads IS 'As in bar_blocks';

  CREATE TABLE ${replaced} (
    asset integer NOT NULL,
    period integer NOT NULL,
    close double precision,
    PRIMARY KEY (asset, period)
  );
  COMMENT ON TABLE ${replaced} IS 'As replaced_closes';
`;
}

const FINE_TABLES = `
  ${FINE_SERIES.map(fineTables).join('')}
  CREATE TABLE tidemark.dropped_bars (
    interval text COLLATE "C" PRIMARY KEY,
    before integer NOT NULL
  );
  COMMENT ON TABLE tidemark.dropped_bars IS 'Of each interval whose old bars were dropped, the first period whose bars were kept';
`;

/** Whoever may use the tables of days may use those of finer intervals. */
const FINE_GRANTS = `
  DO $$
  DECLARE right_of record;
  BEGIN
    FOR right_of IN
      SELECT old.relname || suffix AS name, acl.privilege_type AS kind,
        CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS grantee
      FROM pg_class AS old CROSS JOIN unnest(ARRAY['_1h', '_1m']) AS suffix CROSS JOIN LATERAL aclexplode(old.relacl) AS acl
      WHERE old.relnamespace = 'tidemark'::regnamespace AND old.relname IN ('coverage', 'bar_blocks', 'replaced_closes')
        AND acl.grantee <> old.relowner
      UNION SELECT 'dropped_bars', acl.privilege_type,
        CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END
      FROM pg_class AS old CROSS JOIN LATERAL aclexplode(old.relacl) AS acl
      WHERE old.oid = 'tidemark.bar_blocks'::regclass AND acl.grantee <> old.relowner
    LOOP
      EXECUTE format('GRANT %s ON tidemark.%I TO %s', right_of.kind, right_of.name, right_of.grantee);
    END LOOP;
  END $$;
`;

/** Bars of each source, price rules, corrections, actions and findings: see records/tables.ts. */
const SOURCE_TABLES = `
  CREATE TABLE tidemark.sources (
    asset integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    first_load integer NOT NULL,
    separate boolean NOT NULL,
    PRIMARY KEY (asset, name)
  );
  COMMENT ON TABLE tidemark.sources IS 'Who delivered bars of an asset';
  COMMENT ON COLUMN tidemark.sources.first_load IS 'Its first load; 0 if that is unknown';
  COMMENT ON COLUMN tidemark.sources.separate IS 'Whether its bars are in source_blocks; if not, they are the served ones';

  CREATE TABLE tidemark.source_blocks (
    asset integer NOT NULL,
    source text COLLATE "C" NOT NULL,
    interval text COLLATE "C" NOT NULL,
    block integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (asset, source, interval, block)
  );
  COMMENT ON TABLE tidemark.source_blocks IS 'Bars of one source of an asset that has several, or that is corrected or adjusted; ${BLOCK_DAYS} bars per row';

  CREATE TABLE tidemark.unmerged (
    asset integer NOT NULL,
    interval text COLLATE "C" NOT NULL,
    first_period integer NOT NULL,
    PRIMARY KEY (asset, interval)
  );
  COMMENT ON TABLE tidemark.unmerged IS 'Assets whose served bars, from a period on, are not yet made of the bars of their sources';

  CREATE TABLE tidemark.price_rules (
    asset integer PRIMARY KEY,
    rule json NOT NULL
  );
  COMMENT ON TABLE tidemark.price_rules IS 'How served bars are made of those of the sources; the asset 0 stands for all that have no row';

  CREATE TABLE tidemark.corrections (
    number integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    asset integer NOT NULL,
    interval text COLLATE "C" NOT NULL,
    period integer NOT NULL,
    open double precision,
    high double precision,
    low double precision,
    close double precision,
    volume double precision,
    reason text NOT NULL,
    created_at timestamptz NOT NULL,
    undone_at timestamptz
  );
  COMMENT ON TABLE tidemark.corrections IS 'Bars that a person has corrected; they precede all sources';
  COMMENT ON COLUMN tidemark.corrections.close IS 'NULL: the period has no bar';

  CREATE TABLE tidemark.actions (
    number integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    asset integer NOT NULL,
    day integer NOT NULL,
    ratio double precision NOT NULL,
    from_asset integer,
    reason text NOT NULL,
    created_at timestamptz NOT NULL
  );
  COMMENT ON TABLE tidemark.actions IS 'Redenominations and migrations';
  COMMENT ON COLUMN tidemark.actions.day IS 'The first day in new units, in days since 1970-01-01';
  COMMENT ON COLUMN tidemark.actions.ratio IS 'Old units per new one';
  COMMENT ON COLUMN tidemark.actions.from_asset IS 'The asset that became this one; NULL for a redenomination';

  CREATE TABLE tidemark.findings (
    asset integer NOT NULL,
    interval text COLLATE "C" NOT NULL,
    period integer NOT NULL,
    rule text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    value double precision NOT NULL,
    expected double precision NOT NULL,
    detail text NOT NULL,
    recorded boolean NOT NULL,
    PRIMARY KEY (asset, interval, period, rule, source)
  );
  COMMENT ON TABLE tidemark.findings IS 'What is in doubt about the bars; docs/explanation/findings.md has the rules';
  COMMENT ON COLUMN tidemark.findings.recorded IS 'Whether a load found it in what the source delivered, rather than a check of the stored bars';
  COMMENT ON COLUMN tidemark.findings.source IS 'Empty: the served bars';

  CREATE TABLE tidemark.acceptances (
    asset integer NOT NULL,
    interval text COLLATE "C" NOT NULL,
    period integer NOT NULL,
    rule text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (asset, interval, period, rule, source)
  );
  COMMENT ON TABLE tidemark.acceptances IS 'Findings that a person has looked at and accepted';

  CREATE TABLE tidemark.checks (
    interval text COLLATE "C" PRIMARY KEY,
    settings json NOT NULL,
    complete boolean NOT NULL
  );
  COMMENT ON TABLE tidemark.checks IS 'The intervals whose bars are checked, and the thresholds';
  COMMENT ON COLUMN tidemark.checks.complete IS 'Whether all bars were checked with these thresholds';
`;

/** The ranks, supplies and market capitalisations of past days: see records/fact-blocks.ts. */
const FACT_TABLES = `
  CREATE TABLE tidemark.fact_blocks (
    asset integer NOT NULL,
    block integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (asset, block)
  );
  COMMENT ON TABLE tidemark.fact_blocks IS
    'Changes of the rank, the supply and the market capitalisation of one asset in 32 days per row';
`;

/** Whoever may use the bars may use what belongs to them. */
const SOURCE_GRANTS = `
  DO $$
  DECLARE right_of record;
  BEGIN
    FOR right_of IN
      SELECT name, acl.privilege_type AS kind,
        CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS grantee
      FROM pg_class AS old
      CROSS JOIN unnest(ARRAY['sources', 'source_blocks', 'unmerged', 'price_rules', 'corrections', 'actions', 'findings', 'acceptances', 'checks',
        'fact_blocks']) AS name
      CROSS JOIN LATERAL aclexplode(old.relacl) AS acl
      WHERE old.oid = 'tidemark.bar_blocks'::regclass AND acl.grantee <> old.relowner
    LOOP
      EXECUTE format('GRANT %s ON tidemark.%I TO %s', right_of.kind, right_of.name, right_of.grantee);
    END LOOP;
  END $$;
`;

/** By layout: what makes the next one of it. */
export const UPGRADES: Readonly<Record<number, string>> = {
  11: `ALTER TABLE tidemark.meta ADD COLUMN ${ACTIVE_DAYS_COLUMN}; ${ACTIVE_DAYS_COMMENT}`,
  12: FINE_TABLES + FINE_GRANTS,
  13: SOURCE_TABLES + FACT_TABLES + SOURCE_GRANTS,
};

export const TABLES = `
  CREATE TABLE tidemark.assets (
    key integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    id text COLLATE "C" NOT NULL UNIQUE,
    symbol text NOT NULL,
    ticker text COLLATE "C" NOT NULL,
    name text NOT NULL,
    rank integer,
    type text,
    supply double precision,
    tags text NOT NULL,
    provisional boolean NOT NULL,
    delisted boolean NOT NULL,
    changed bigint NOT NULL
  );
  CREATE INDEX assets_by_ticker ON tidemark.assets (ticker);
  COMMENT ON TABLE tidemark.assets IS 'One row per asset';
  COMMENT ON COLUMN tidemark.assets.key IS 'The asset number, which the other tables use';
  COMMENT ON COLUMN tidemark.assets.ticker IS 'The symbol in upper case: of the assets that share it, one is in the listing';
  COMMENT ON COLUMN tidemark.assets.supply IS 'Circulating units; NULL if no source gives it';
  COMMENT ON COLUMN tidemark.assets.tags IS 'The ids of the tags of its profile, joined by commas';
  COMMENT ON COLUMN tidemark.assets.changed IS 'The value of meta.facts_version when the row was last written';

  -- Updated in place, therefore the free space.
  CREATE TABLE tidemark.coverage (
    asset integer PRIMARY KEY,
    first_day integer NOT NULL DEFAULT 0,
    last_day integer NOT NULL DEFAULT 0,
    bars integer NOT NULL DEFAULT 0,
    pending boolean NOT NULL DEFAULT true
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE tidemark.coverage IS 'What bar_blocks has of each asset; one row per asset';
  COMMENT ON COLUMN tidemark.coverage.first_day IS 'Day of the oldest bar, in days since 1970-01-01; without bars it means nothing';
  COMMENT ON COLUMN tidemark.coverage.last_day IS 'Day of the newest bar, in days since 1970-01-01';
  COMMENT ON COLUMN tidemark.coverage.pending IS 'Whether bars, facts or profile changed since the row of the asset was published';

  CREATE TABLE tidemark.bar_blocks (
    ${BLOCK_COLUMNS}
  );
  COMMENT ON TABLE tidemark.bar_blocks IS
    'Daily bars, ${BLOCK_DAYS} days of one asset per row; the view bars_daily has one row per bar';
  COMMENT ON COLUMN tidemark.bar_blocks.block IS
    'Element i of the arrays belongs to the day ${BLOCK_DAYS} * block + i - 1, in days since 1970-01-01';
  COMMENT ON COLUMN tidemark.bar_blocks.close IS 'NULL on days without a bar';
  COMMENT ON COLUMN tidemark.bar_blocks.loads IS
    'The load that delivered the close, negative if the close replaced another one, 0 if it is unknown; plus 2^30 if the bar was made of finer ones';

  CREATE TABLE tidemark.profiles (
    asset integer PRIMARY KEY,
    profile json NOT NULL,
    extra json NOT NULL
  );
  COMMENT ON TABLE tidemark.profiles IS
    'What sources say of an asset; json and not jsonb, which changes the order of members and refuses some characters';
  COMMENT ON COLUMN tidemark.profiles.extra IS 'What the source says besides the fields of a profile';

  CREATE TABLE tidemark.published (
    asset integer PRIMARY KEY,
    close_day integer NOT NULL,
    history_days integer NOT NULL,
    price double precision NOT NULL,
    publication bigint NOT NULL
  );
  COMMENT ON TABLE tidemark.published IS
    'Computed rows that servers show, one per asset that has bars, inactive assets included; the view ta_cur has those of the listing';
  COMMENT ON COLUMN tidemark.published.close_day IS 'Day of the latest close, in days since 1970-01-01';
  COMMENT ON COLUMN tidemark.published.history_days IS 'Days from the first close to the latest, both included';
  COMMENT ON COLUMN tidemark.published.publication IS 'The version of the publication that wrote the row';

  CREATE TABLE tidemark.replaced_closes (
    asset integer NOT NULL,
    day integer NOT NULL,
    close double precision,
    PRIMARY KEY (asset, day)
  );
  COMMENT ON TABLE tidemark.replaced_closes IS
    'Closes that a load replaced and that published rows were made from, until the next publication; NULL where there was none';

  CREATE TABLE tidemark.loads (
    id integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    source text NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    state text NOT NULL,
    error text,
    read bigint NOT NULL DEFAULT 0,
    inserted bigint NOT NULL DEFAULT 0,
    replaced bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0
  );
  COMMENT ON TABLE tidemark.loads IS 'Runs of tidemark ingest, and what each did';

  CREATE TABLE tidemark.rejects (
    load integer NOT NULL,
    number integer NOT NULL,
    place text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    PRIMARY KEY (load, number)
  );
  COMMENT ON TABLE tidemark.rejects IS 'The first lines that a load refused';

  CREATE TABLE tidemark.api_keys (
    number integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    id text COLLATE "C" NOT NULL UNIQUE,
    hash bytea NOT NULL UNIQUE,
    tier text NOT NULL,
    name text,
    expires integer,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  COMMENT ON TABLE tidemark.api_keys IS 'API keys; a key itself is stored nowhere';
  COMMENT ON COLUMN tidemark.api_keys.hash IS 'SHA-256 of the API key';
  COMMENT ON COLUMN tidemark.api_keys.expires IS 'The last day on which the key is valid, in days since 1970-01-01';

  -- The rows of today are updated all the time, in place, therefore the free space.
  CREATE TABLE tidemark.key_usage (
    key text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    accepted bigint NOT NULL,
    refused bigint NOT NULL,
    PRIMARY KEY (key, day)
  ) WITH (fillfactor = 50);
  CREATE INDEX key_usage_by_day ON tidemark.key_usage (day);
  COMMENT ON TABLE tidemark.key_usage IS 'Requests per API key and day';

  CREATE TABLE tidemark.alerts (
    number integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL UNIQUE,
    query text NOT NULL,
    direction text NOT NULL,
    format text NOT NULL,
    url text,
    secret text,
    created_at timestamptz NOT NULL,
    paused boolean NOT NULL,
    revision bigint NOT NULL,
    version bigint,
    symbols json
  );
  COMMENT ON TABLE tidemark.alerts IS 'Saved queries whose changes are delivered to a URL';
  COMMENT ON COLUMN tidemark.alerts.url IS 'The destination, a secret; NULL after a restore without secrets';
  COMMENT ON COLUMN tidemark.alerts.secret IS 'Signs the messages; in the clear';
  COMMENT ON COLUMN tidemark.alerts.version IS 'The publication with which the matching assets last changed';
  COMMENT ON COLUMN tidemark.alerts.symbols IS 'The tickers of the matching assets; NULL before the first evaluation';

  CREATE TABLE tidemark.deliveries (
    number bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
    id text COLLATE "C" NOT NULL UNIQUE,
    alert text COLLATE "C" NOT NULL,
    created_ms bigint NOT NULL,
    entered_rows integer NOT NULL,
    left_rows integer NOT NULL,
    body text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    last_ms bigint,
    next_ms bigint,
    status integer,
    error text
  );
  CREATE INDEX deliveries_waiting ON tidemark.deliveries (alert, next_ms) WHERE state = 'waiting';
  COMMENT ON TABLE tidemark.deliveries IS 'Messages of alerts: those that wait, and the newest of those that have ended';
  COMMENT ON COLUMN tidemark.deliveries.created_ms IS 'Milliseconds since 1970, like last_ms and next_ms';
  COMMENT ON COLUMN tidemark.deliveries.body IS 'Empty once it is delivered';

  CREATE TABLE tidemark.live_ticks (
    source text COLLATE "C" PRIMARY KEY,
    tick_ms bigint NOT NULL
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE tidemark.live_ticks IS 'The time of the newest tick of each source of live prices, milliseconds since 1970';

  CREATE TABLE tidemark.servers (
    id text COLLATE "C" PRIMARY KEY,
    heartbeat_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE tidemark.servers IS 'Servers that share the rate limits of this store';

  CREATE TABLE tidemark.publications (version bigint PRIMARY KEY);
  COMMENT ON TABLE tidemark.publications IS 'The newest publications; a server that has an older one reads all rows';

  CREATE TABLE tidemark.meta (
    one integer PRIMARY KEY CHECK (one = 1),
    layout integer NOT NULL,
    version bigint NOT NULL,
    columns text,
    all_since bigint NOT NULL,
    keys_version bigint NOT NULL,
    facts_version bigint NOT NULL,
    ${ACTIVE_DAYS_COLUMN}
  ) WITH (fillfactor = 50);
  INSERT INTO tidemark.meta VALUES (1, ${LAYOUT}, 0, NULL, 0, 0, 1);
  COMMENT ON TABLE tidemark.meta IS 'One row about the whole store';
  COMMENT ON COLUMN tidemark.meta.layout IS 'Which tables and columns there are, as a number that grows';
  COMMENT ON COLUMN tidemark.meta.version IS 'The newest publication';
  COMMENT ON COLUMN tidemark.meta.columns IS 'The computed columns of published, and a hash of their definitions';
  COMMENT ON COLUMN tidemark.meta.all_since IS 'The publication that last removed rows or changed the columns';
  ${ACTIVE_DAYS_COMMENT}
  ${FINE_TABLES}
  ${SOURCE_TABLES}
  ${FACT_TABLES}
`;

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

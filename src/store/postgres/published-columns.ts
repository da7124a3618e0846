// The computed columns of the published rows: real columns of a table, and of the view ta_cur. They follow the catalogue.
//
// A column is only ever added, to the table as to the view: what a database's users have built on the view, and the rights that they
// were given on it, stay. A column that the catalogue no longer has is NULL from then on.
//
// Only the role that owns the tables can add columns. It adds all of them when it opens the store, so that a server of another role can
// publish any of them.

import { COLUMNS, OPTIONAL_COLUMNS, PUBLISHED_COLUMNS } from '../../domain/catalogue.ts';
import type { Column } from '../../domain/columns.ts';
import { STATE_SIZE } from '../../indicators/optional.ts';
import { STATE_PREFIX, StoreError, stateColumns } from '../port/store.ts';
import type { Sql } from './database.ts';

type Described = Pick<Column, 'name' | 'kind' | 'unit' | 'description'> & { readonly formula?: string };
const CATALOGUE: readonly Described[] = [...COLUMNS, ...OPTIONAL_COLUMNS];
/** Of every publication of this version. */
export const ALL_COLUMNS: readonly string[] = [
  ...PUBLISHED_COLUMNS.map(column => column.name),
  ...stateColumns(STATE_SIZE),
];

/** The names in what identifies the columns of a publication: `NAME,NAME…#HASH`. */
export function namesOf(columns: string): string[] {
  return columns.split('#', 1)[0]!.split(',');
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Columns of the table that are not computed. */
const STORED = ['asset', 'close_day', 'history_days', 'price', 'publication'];
/** The columns that begin the view. */
const SHOWN = ['asset_id', 'datetimeUTC', 'symbol', 'price'];
/** Other columns of the view that are not computed, and what they are. Beyond these bounds the product could be out of range, which fails. */
const FACTS: Readonly<Record<string, string>> = {
  rank: 'assets.rank',
  supply: 'assets.supply',
  market_cap: `CASE WHEN published.price BETWEEN 1e-150 AND 1e150 AND assets.supply BETWEEN 1e-150 AND 1e150
    THEN published.price * assets.supply END`,
  history: 'published.history_days',
};

/** Makes sure that the table has the columns, and the view those that it shows. Fails if one is missing and the role may not add it. */
export async function requireColumns(sql: Sql, names: readonly string[], where: string): Promise<void> {
  if (await ownsTables(sql)) return addColumns(sql, names);
  const missing = await missingColumns(sql, names);
  if (missing.length > 0) {
    throw new StoreError(
      'forbidden',
      `${where} lacks the columns ${missing.join(', ')}, and only the role that owns the tables can add them`,
      "run 'tidemark status' once with that role",
    );
  }
}

/** Whether the role of the connection may change the tables, which it cannot on a standby. */
export async function ownsTables(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ owns: boolean }>`
    SELECT pg_has_role(relowner, 'USAGE') AND current_setting('transaction_read_only') = 'off' AS owns
    FROM pg_class WHERE oid = to_regclass('tidemark.published')`;
  return row?.owns ?? false;
}

export async function missingColumns(sql: Sql, names: readonly string[]): Promise<string[]> {
  const found = await columnsOf(sql, 'published');
  return names.filter(name => !found.includes(name));
}

/** Adds the columns that are missing, and the view's. */
export async function addColumns(sql: Sql, names: readonly string[]): Promise<void> {
  const before = await columnsOf(sql, 'published');
  const added = names.filter(name => !before.includes(name));
  if (added.length > 0) {
    await sql.script(
      `ALTER TABLE tidemark.published ${added.map(name => `ADD COLUMN ${identifier(name)} double precision`).join(', ')}`,
    );
  }
  const shown = (await columnsOf(sql, 'ta_cur')).filter(name => !SHOWN.includes(name));
  const computed = [...before, ...added].filter(name => !STORED.includes(name) && !name.startsWith(STATE_PREFIX));
  const wanted = new Set([...Object.keys(FACTS), ...computed]);
  await sql.script(viewOf([...shown, ...inOrder([...wanted].filter(name => !shown.includes(name)))]));
}

/** As the rows of the listing have them; a column that the catalogue does not have comes last. */
function inOrder(names: readonly string[]): string[] {
  const places = new Map(CATALOGUE.map(({ name }, place) => [name, place]));
  const placeOf = (name: string) => places.get(name) ?? CATALOGUE.length;
  return names.toSorted((a, b) => placeOf(a) - placeOf(b));
}

export async function columnsOf(sql: Sql, relation: string): Promise<string[]> {
  const rows = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = to_regclass(${`tidemark.${relation}`}) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
  return rows.map(row => row.name);
}

/** The rows of the listing: of the active assets with one ticker the best-ranked one, as `domain/asset-state.ts` says. */
function viewOf(names: readonly string[]): string {
  return `
    CREATE OR REPLACE VIEW tidemark.ta_cur AS
    SELECT assets.id AS asset_id,
      (date '1970-01-01' + published.close_day)::timestamp AT TIME ZONE 'UTC' AS "datetimeUTC",
      assets.symbol, published.price${names.map(name => `, ${shownColumn(name)}`).join('')}
    FROM tidemark.published JOIN tidemark.assets ON assets.key = published.asset
    WHERE assets.key IN (
      SELECT DISTINCT ON (assets.ticker) assets.key
      FROM tidemark.published JOIN tidemark.assets ON assets.key = published.asset
      WHERE NOT assets.delisted
        AND published.close_day >=
          (SELECT max(close_day) FROM tidemark.published) - (SELECT active_days FROM tidemark.meta)
      ORDER BY assets.ticker, assets.rank NULLS LAST, assets.id);
    COMMENT ON VIEW tidemark.ta_cur IS
      'The rows of GET /v1/crypto/ta-cur: one per active asset, that is with a close within meta.active_days days of the newest. Optional columns are NULL until a client requests one of them, or ingest or serve runs with --all-columns';
    COMMENT ON COLUMN tidemark.ta_cur.asset_id IS 'Slug of the asset, such as btc-bitcoin';
    ${[...SHOWN.slice(1), ...names].map(name => comment(name)).join('\n')}`;
}

/** A day is published as its number. */
function shownColumn(name: string): string {
  if (Object.hasOwn(FACTS, name)) return `${FACTS[name]} AS ${identifier(name)}`;
  const stored = `published.${identifier(name)}`;
  if (CATALOGUE.find(one => one.name === name)?.kind !== 'time') return stored;
  return `(date '1970-01-01' + ${stored}::int)::timestamp AT TIME ZONE 'UTC' AS ${identifier(name)}`;
}

function comment(name: string): string {
  const column = CATALOGUE.find(one => one.name === name);
  const text = column ? describe(column) : 'Not computed by the version that published last';
  return `COMMENT ON COLUMN tidemark.ta_cur.${identifier(name)} IS '${text.replaceAll("'", "''")}';`;
}

function describe({ unit, description, formula }: Described): string {
  return `${description}${unit === null ? '' : `, ${unit}`}${formula === undefined ? '' : `: ${formula}`}`;
}

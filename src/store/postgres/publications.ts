// Publications in PostgreSQL: the computed rows, which assets are pending, and the version.

import type { AssetNumber } from '../../domain/asset.ts';
import { nextVersion, PUBLICATIONS_KEPT } from '../port/next-version.ts';
import type { CurrentChanges, CurrentPart, CurrentRow, PublicationStore } from '../port/store.ts';
import { replaceFindings } from '../records/findings.ts';
import { noteRewritten, rewrittenSince } from '../records/rewritten.ts';
import { storable } from '../records/storable.ts';
import type { Rewritten } from '../records/tables.ts';
import { CopyWriter } from './copy.ts';
import { CurrentRows } from './current-rows.ts';
import { arrayText, type Database, type Sql } from './database.ts';
import { requireAssets } from './known-assets.ts';
import { identifier, namesOf, requireColumns } from './published-columns.ts';
import { runSteps } from './records.ts';
import { type AllReplacedSpans, allReplacedSpans } from './replaced.ts';
import type { FoundVersion } from './seen-versions.ts';
import { FINE_SERIES } from './series-layout.ts';
import { notify } from './watch.ts';

interface Meta extends FoundVersion {
  readonly columns: string | null;
  readonly all_since: number;
}

/** Rows are written in parts of this many. */
const ROWS_AT_ONCE = 4096;

export function publicationStore(db: Database): PublicationStore {
  const currentSince = (seen: number): Promise<CurrentChanges> =>
    db.read(async sql => {
      const [meta] = await sql<Meta & { noted: boolean }>`
        SELECT version, columns, all_since, pg_is_in_recovery() AS standby,
          EXISTS (SELECT 1 FROM tidemark.publications WHERE version = ${seen}) AS noted
        FROM tidemark.meta`;
      const { columns, all_since, noted } = meta!; // of the one row
      const version = db.seen.accept('data', meta!);
      const all = seen < all_since || !noted;
      const none = columns === null || (seen === version && !all);
      // Without an index: a scan of 50,000 rows takes milliseconds, and an index would cost more at every publication.
      const rows = none ? [] : await readRows(sql, columns, `publication > ${all ? -1 : seen}`);
      return { version, columns, all, rows };
    });

  return {
    // Not in one transaction: only the process that publishes asks with columns, and no other one changes them meanwhile.
    pending: columns =>
      db.query(async sql => {
        const stale = columns !== undefined && (await readMeta(sql)).columns !== columns;
        const rows = stale
          ? await sql<{ asset: number }>`SELECT asset FROM tidemark.coverage ORDER BY asset`
          : await sql<{ asset: number }>`SELECT asset FROM tidemark.coverage WHERE pending ORDER BY asset`;
        return rows.map(row => row.asset);
      }),

    publish: async (columns, parts) => {
      const names = namesOf(storable(columns));
      // In a transaction of its own: the other would lock the table until its end, also for the code that computes the parts.
      if ((await db.query(readMeta)).columns !== storable(columns)) {
        await db.write(sql => requireColumns(sql, names, db.name));
      }
      return db.write(async sql => {
        const meta = await readMeta(sql);
        const next = nextVersion(meta.version);
        // Read while the first rows are computed.
        const replaced = allReplacedSpans(sql);
        replaced.catch(() => {});
        let dropped = 0;
        if (meta.columns !== storable(columns)) {
          await sql`
            UPDATE tidemark.coverage SET pending = true
            WHERE NOT pending AND asset IN (SELECT asset FROM tidemark.published)`;
          dropped += await sql.count`DELETE FROM tidemark.published`;
        }
        const rewritten: Omit<Rewritten, 'version'>[] = [];
        const write = async (part: CurrentPart) => {
          if (part.checked !== undefined) {
            const { interval, series, onAdded } = part.checked;
            onAdded(await runSteps(sql, db, () => replaceFindings(interval, series)));
            return;
          }
          const written = await putPart(sql, part, await replaced, names, next);
          dropped += written.gone;
          rewritten.push(...written.rewritten);
        };
        // The server writes one part, and another one waits, while the next rows are computed.
        let [before, last] = [Promise.resolve(), Promise.resolve()];
        for await (const part of gathered(parts)) {
          await before;
          before = last;
          last = last.then(() => write(part));
          // If the next ones fail, these are no longer awaited.
          last.catch(() => {});
        }
        await last;
        await sql`
          UPDATE tidemark.meta
          SET version = ${next}, columns = ${storable(columns)}, all_since = ${dropped > 0 ? next : meta.all_since}`;
        await sql`INSERT INTO tidemark.publications VALUES (${next})`;
        await sql`
          DELETE FROM tidemark.publications WHERE version <= (
            SELECT version FROM tidemark.publications ORDER BY version DESC LIMIT 1 OFFSET ${PUBLICATIONS_KEPT})`;
        await runSteps(sql, db, () => noteRewritten(next, rewritten));
        await notify(sql);
        return next;
      });
    },

    version: async () => {
      const { data, standby } = await db.versions();
      return db.seen.accept('data', { version: data, standby });
    },

    columns: async () => {
      const meta = await db.query(readMeta);
      db.seen.accept('data', meta);
      return meta.columns;
    },

    currentSince,

    // In one part, because the rows are sorted here.
    readCurrentSince: async (seen, take) => {
      const { rows, ...changes } = await currentSince(seen);
      take(rows);
      return changes;
    },

    rewrittenSince: (interval, version) => db.read(sql => runSteps(sql, db, () => rewrittenSince(interval, version))),

    setActiveDays: days =>
      db.change(async sql => {
        await sql`
          UPDATE tidemark.meta SET active_days = ${days}
          WHERE one = (SELECT one FROM tidemark.meta WHERE active_days <> ${days} FOR UPDATE SKIP LOCKED)`;
      }),

    currentOf: (assetNumbers, columns) =>
      db.read(async sql => {
        if (assetNumbers.length === 0 || (await readMeta(sql)).columns !== storable(columns)) return [];
        return readRows(sql, columns, `asset = ANY('${arrayText(assetNumbers)}'::int[])`);
      }),
  };
}

/** How many rows were removed, and of which assets bars before the newest published one have changed. */
interface WrittenPart {
  readonly gone: number;
  readonly rewritten: readonly Omit<Rewritten, 'version'>[];
}

async function readRows(sql: Sql, columns: string, condition: string): Promise<CurrentRow[]> {
  const names = namesOf(columns);
  const found = new CurrentRows(names.length);
  const select = `SELECT asset, close_day, history_days, price ${names.map(name => `, ${identifier(name)}`).join('')}
    FROM tidemark.published WHERE ${condition}`;
  await sql.copyOut(select, row => {
    const { values } = found.add(row.integer(), row.integer(), row.integer(), row.double());
    row.doubles(values);
  });
  // The server would sort whole rows, in files beside the memory that it may use.
  return found.rows.sort((a, b) => a.assetNumber - b.assetNumber);
}

async function readMeta(sql: Sql): Promise<Meta> {
  const [meta] = await sql<Meta>`
    SELECT version, columns, all_since, pg_is_in_recovery() AS standby FROM tidemark.meta`;
  // The migration that made the table put its one row.
  return meta!;
}

/** The same in larger parts, in which each asset is once: what came last. */
async function* gathered(
  parts: AsyncIterable<CurrentPart> | Iterable<CurrentPart>,
): AsyncGenerator<CurrentPart, void, undefined> {
  const waiting = new Map<AssetNumber, CurrentRow | null>();
  const part = () => {
    const rows = [...waiting.values()].filter(row => row !== null);
    const removed = [...waiting.keys()].filter(assetNumber => waiting.get(assetNumber) === null);
    waiting.clear();
    return { rows, removed };
  };
  for await (const { rows, removed, checked } of parts) {
    if (checked !== undefined) yield { rows: [], removed: [], checked };
    for (const assetNumber of removed) waiting.set(assetNumber, null);
    for (const row of rows) waiting.set(row.assetNumber, row);
    if (waiting.size >= ROWS_AT_ONCE) yield part();
  }
  if (waiting.size > 0) yield part();
}

async function putPart(
  sql: Sql,
  part: CurrentPart,
  replaced: AllReplacedSpans,
  names: readonly string[],
  publication: number,
): Promise<WrittenPart> {
  const { rows, removed } = part;
  const written = rows.map(row => row.assetNumber);
  const published = arrayText([...written, ...removed]);
  const rewritten = await rewrittenBars(sql, part, replaced);
  const settled = await sql.count`
    UPDATE tidemark.coverage SET pending = false WHERE asset = ANY(${published}::int[])`;
  if (settled < written.length + removed.length) await requireAssets(sql, written);
  for (const [layout] of replaced) {
    await sql.run(`DELETE FROM ${layout.replaced} WHERE asset = ANY($1::int[])`, [published]);
  }
  // From now on, the bars that the store has are the published ones.
  for (const { coverage } of FINE_SERIES) {
    await sql.run(
      `UPDATE ${coverage} SET published_first = CASE WHEN bars > 0 THEN first_period END, published_last = last_period
       WHERE asset = ANY($1::int[]) AND (published_first IS DISTINCT FROM CASE WHEN bars > 0 THEN first_period END
         OR published_last IS DISTINCT FROM last_period)`,
      [published],
    );
  }
  await sql`DELETE FROM tidemark.published WHERE asset = ANY(${arrayText(written)}::int[])`;
  const gone =
    removed.length === 0
      ? 0
      : await sql.count`DELETE FROM tidemark.published WHERE asset = ANY(${arrayText(removed)}::int[])`;
  if (rows.length > 0) await copyRows(sql, rows, names, publication);
  return { gone, rewritten };
}

/** Of these assets, those of which bars before the newest published one have changed since. */
async function rewrittenBars(
  sql: Sql,
  part: CurrentPart,
  changed: AllReplacedSpans,
): Promise<Omit<Rewritten, 'version'>[]> {
  const found: Omit<Rewritten, 'version'>[] = [];
  for (const [{ interval, replaced, period, published }, spans] of changed) {
    // Of days, the newest published one is still there or among the replaced ones, and so it is not newer than both.
    const isOlder = (asset: AssetNumber, day: number) => {
      const [first, last] = spans.get(asset) ?? [];
      return first !== undefined && (interval !== '1d' || first < Math.max(last!, day));
    };
    const assets = part.rows.filter(({ assetNumber, day }) => isOlder(assetNumber, day)).map(row => row.assetNumber);
    assets.push(...part.removed.filter(asset => spans.has(asset)));
    if (assets.length === 0) continue;
    const { rows } = await sql.run<Pick<Rewritten, 'assetNumber' | 'firstPeriod'>>(
      `SELECT replaced.asset AS "assetNumber", min(replaced.${period}) AS "firstPeriod"
       FROM ${replaced} AS replaced JOIN ${published.table} AS published ON published.asset = replaced.asset
       WHERE replaced.asset = ANY($1::int[]) AND replaced.${period} < published.${published.newest}
       GROUP BY replaced.asset`,
      [arrayText(assets)],
    );
    found.push(...rows.map(row => ({ ...row, interval })));
  }
  return found;
}

async function copyRows(
  sql: Sql,
  rows: readonly CurrentRow[],
  names: readonly string[],
  publication: number,
): Promise<void> {
  const target = new CopyWriter();
  for (const { assetNumber, day, history, price, values } of rows) {
    if (values.length !== names.length) {
      throw new Error(`a row of ${values.length} values was published with ${names.length} columns`);
    }
    target.row(5 + values.length);
    target.integer(assetNumber);
    target.integer(day);
    target.integer(history);
    target.double(price);
    target.long(publication);
    target.doubles(values);
  }
  const columns = ['asset', 'close_day', 'history_days', 'price', 'publication', ...names.map(identifier)];
  await sql.copyInto(`tidemark.published (${columns.join(', ')})`, target);
}

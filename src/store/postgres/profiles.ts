// Profiles in PostgreSQL.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type { ProfileStore } from '../port/store.ts';
import { markPending, requireAssets } from './assets.ts';
import { arrayText, type Database, type Sql } from './database.ts';

/** Profiles are read in parts of this many, so that no read stays open while a caller works on one. */
const PROFILES_AT_ONCE = 200;

/** The texts of a row: of type `json` in the table, which keeps them as they are. */
interface Texts {
  readonly profile: string;
  readonly extra: string;
}

interface Row extends Texts {
  readonly asset: number;
}

export function profileStore(db: Database): ProfileStore {
  return {
    putProfiles: profiles =>
      db.write(async sql => {
        const assetNumbers = profiles.map(entry => entry.assetNumber);
        await requireAssets(sql, assetNumbers);
        const stored = await textsOf(sql, assetNumbers);
        const changes = { inserted: 0, replaced: 0, unchanged: 0 };
        const written = new Map<AssetNumber, Texts>();
        for (const { assetNumber, sourced } of profiles) {
          const texts = { profile: JSON.stringify(sourced.profile), extra: JSON.stringify(sourced.extra) };
          const before = stored.get(assetNumber);
          const isSame = before?.profile === texts.profile && before.extra === texts.extra;
          changes[before === undefined ? 'inserted' : isSame ? 'unchanged' : 'replaced']++;
          if (!isSame) written.set(assetNumber, texts);
          stored.set(assetNumber, texts);
        }
        await sql`
          INSERT INTO tidemark.profiles (asset, profile, extra)
          SELECT asset, profile::json, extra::json
          FROM json_to_recordset(${JSON.stringify([...written].map(([asset, texts]) => ({ asset, ...texts })))}::json)
            AS new (asset int, profile text, extra text)
          ON CONFLICT (asset) DO UPDATE SET profile = excluded.profile, extra = excluded.extra`;
        await markPending(sql, written.keys());
        return changes;
      }),

    profile: assetNumber =>
      db.query(async sql => {
        const [row] = await sql<Row>`
          SELECT asset, profile::text, extra::text FROM tidemark.profiles WHERE asset = ${assetNumber}`;
        return row ? sourcedOf(row) : null;
      }, assetNumber),

    profiles: async function* () {
      for (let after = -1; ; ) {
        const part = await db.query(
          sql => sql<Row>`
            SELECT asset, profile::text, extra::text FROM tidemark.profiles
            WHERE asset > ${after} ORDER BY asset LIMIT ${PROFILES_AT_ONCE}`,
        );
        for (const row of part) yield { assetNumber: row.asset, sourced: sourcedOf(row) };
        const last = part.at(-1);
        if (!last) return;
        after = last.asset;
      }
    },
  };
}

async function textsOf(sql: Sql, assetNumbers: readonly AssetNumber[]): Promise<Map<AssetNumber, Texts>> {
  const rows = await sql<Row>`
    SELECT asset, profile::text, extra::text FROM tidemark.profiles WHERE asset = ANY(${arrayText(assetNumbers)}::int[])`;
  return new Map(rows.map(row => [row.asset, row]));
}

function sourcedOf({ profile, extra }: Texts): SourcedProfile {
  // Written by putProfiles.
  return { profile: JSON.parse(profile), extra: JSON.parse(extra) } as SourcedProfile;
}

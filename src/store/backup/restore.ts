// Fills an empty store from a backup in one transaction. The file is read twice: first to check that it is whole, then to write it.

import type { AssetNumber } from '../../domain/asset.ts';
import { FINE_INTERVALS } from '../../domain/interval.ts';
import { nextVersion } from '../port/next-version.ts';
import { ReplacedBatch } from '../port/replaced-closes.ts';
import { type BackupStore, type FillTarget, REJECTS_KEPT, type StoredBars } from '../port/store.ts';
import {
  BackupError,
  type BackupRecord,
  type BarsRecord,
  type CurrentRecord,
  type Header,
  type KeyRecord,
  type RowRecord,
} from './format.ts';
import { openBackup } from './read.ts';
import { valuesOfBytes } from './values.ts';

const RECORDS_AT_ONCE = 500;
const BARS_AT_ONCE = 50_000;

/** Reads all of it and fails if it is not whole. */
export async function checkBackup(path: string, onBytes: (bytes: number) => void): Promise<Header> {
  const { header, records } = await openBackup(path, onBytes);
  for await (const _ of records);
  return header;
}

export async function restoreBackup(store: BackupStore, path: string, onBytes: (bytes: number) => void): Promise<void> {
  await store.fill(async target => {
    const { header, records } = await openBackup(path, onBytes);
    await fillFrom(target, header, new Sections(records));
  });
}

async function fillFrom(target: FillTarget, header: Header, sections: Sections): Promise<void> {
  const numbers = new Map<AssetNumber, AssetNumber>();
  const pending: AssetNumber[] = [];
  const fine = new Map(FINE_INTERVALS.map(interval => [interval, new RestoredInterval()]));
  const days = new RestoredInterval();
  const numberOf = (asset: AssetNumber): AssetNumber => numbers.get(asset) ?? unknownAsset(asset);

  for await (const part of sections.take('asset', RECORDS_AT_ONCE)) {
    const given = await target.putAssets(
      part.map(asset => ({ ...asset, tags: asset.tags ?? '', supply: asset.supply ?? null })),
    );
    for (const [i, asset] of part.entries()) {
      numbers.set(asset.key, given[i]!);
      if (asset.pending) pending.push(given[i]!);
    }
  }
  for await (const part of sections.take('profile', RECORDS_AT_ONCE)) {
    await target.putProfiles(
      part.map(({ asset, profile, extra }) => ({ assetNumber: numberOf(asset), sourced: { profile, extra } })),
    );
  }
  for await (const part of sections.take('facts', RECORDS_AT_ONCE)) {
    for (const { asset, records } of part) await target.putFactRecords(numberOf(asset), records);
  }
  for await (const part of sections.take('bars', BARS_AT_ONCE, record => record.day.length)) {
    for (const [interval, records] of Map.groupBy(part, record => record.interval ?? '1d')) {
      await target.series(interval).putBars(barsOf(records, numberOf));
      const restored = interval === '1d' ? days : fine.get(interval)!; // it has all others
      for (const record of records) restored.add(record, numberOf(record.asset));
    }
  }
  const rows = sections.take('current', RECORDS_AT_ONCE);
  if (header.columns !== null) await target.publish(header.columns, currentParts(rows, numberOf));
  await target.putReplaced('1d', days.replaced);
  for (const [interval, { replaced, spans }] of fine) {
    await target.putReplaced(interval, replaced);
    await target.putPublishedSpans(interval, spans);
  }
  for await (const part of sections.take('load', RECORDS_AT_ONCE)) {
    await target.putLoads(part.map(({ kind, rejects, ...load }) => load));
    for (const { id, rejects } of part) await target.addRejects(id, rejects.slice(0, REJECTS_KEPT));
  }
  for await (const part of sections.take('key', RECORDS_AT_ONCE)) await target.putKeys(part.map(keyOfRecord));
  for await (const part of sections.take('usage', RECORDS_AT_ONCE)) {
    for (const [day, uses] of Map.groupBy(part, use => use.day)) await target.addUsage(day, uses);
  }
  for await (const part of sections.take('alert', RECORDS_AT_ONCE)) {
    await target.putAlerts(
      part.map(({ kind, matching, ...alert }) => ({
        ...alert,
        matching: matching === null ? null : { reported: [], ...matching },
        waiting: 0,
      })),
    );
  }
  for await (const part of sections.take('delivery', RECORDS_AT_ONCE)) {
    await target.putDeliveries(part.map(({ kind, ...delivery }) => delivery));
  }
  for await (const part of sections.take('row', RECORDS_AT_ONCE)) {
    await target.putCopiedRows(part.map(({ table, row }) => ({ table, row: renumbered(row, numberOf) })));
  }
  await sections.end();
  // Not those of the backup: servers that have read the backed-up store must read this one anew.
  const version = header.version === 0 ? 0 : nextVersion(header.version);
  const keysVersion = nextVersion(header.keysVersion);
  await target.settle({ pending, version, keysVersion, dropped: header.dropped ?? {} });
}

/** What belongs to the publication of the bars of an interval, which follows them. */
class RestoredInterval {
  readonly replaced = new ReplacedBatch();
  readonly spans = new Map<AssetNumber, readonly [first: number, last: number] | null>();

  add({ published = [], span }: BarsRecord, asset: AssetNumber): void {
    for (const [day, close] of published) this.replaced.add(asset, day, close ?? Number.NaN);
    if (span !== undefined) this.spans.set(asset, span);
  }
}

type Kind = BackupRecord['kind'];
type RecordOf<K extends Kind> = Extract<BackupRecord, { kind: K }>;

/** Records come kind after kind; each kind is read in parts. */
class Sections {
  readonly #records: AsyncGenerator<BackupRecord>;
  #next: BackupRecord | null = null;

  constructor(records: AsyncGenerator<BackupRecord>) {
    this.#records = records;
  }

  /** The records of one kind, in parts whose sum of `weigh` reaches `most`. */
  async *take<K extends Kind>(
    kind: K,
    most: number,
    weigh: (record: RecordOf<K>) => number = () => 1,
  ): AsyncGenerator<RecordOf<K>[]> {
    let part: RecordOf<K>[] = [];
    let weight = 0;
    for (let record = await this.#peek(); record?.kind === kind; record = await this.#peek()) {
      this.#next = null;
      const found = record as RecordOf<K>; // of this kind, by the condition of the loop
      part.push(found);
      weight += weigh(found);
      if (weight < most) continue;
      yield part;
      part = [];
      weight = 0;
    }
    if (part.length > 0) yield part;
  }

  /** Fails if a record is left, or if the file does not end as it must. */
  async end(): Promise<void> {
    const left = await this.#peek();
    if (left !== null)
      throw new BackupError(`a record of the kind ${left.kind} is out of place`, 'Use another backup.');
  }

  async #peek(): Promise<BackupRecord | null> {
    if (this.#next !== null) return this.#next;
    const { done, value } = await this.#records.next();
    this.#next = done ? null : value;
    return this.#next;
  }
}

function barsOf(part: readonly BarsRecord[], numberOf: (asset: AssetNumber) => AssetNumber): StoredBars {
  const count = part.reduce((sum, record) => sum + record.day.length, 0);
  const column = (name: 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(part.flatMap(record => record[name].map(value => value ?? Number.NaN)));
  return {
    count,
    assetNumber: Uint32Array.from(part.flatMap(record => record.day.map(() => numberOf(record.asset)))),
    day: Int32Array.from(part.flatMap(record => record.day)),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    origin: Int32Array.from(part.flatMap(record => [...originsOf(record)])),
  };
}

function originsOf({ day, loads = [] }: BarsRecord): Int32Array {
  const origins = new Int32Array(day.length);
  let from = 0;
  for (const [closes, origin] of loads) {
    origins.fill(origin, from, from + closes);
    from += closes;
  }
  return origins;
}

async function* currentParts(parts: AsyncIterable<CurrentRecord[]>, numberOf: (asset: AssetNumber) => AssetNumber) {
  for await (const part of parts) {
    const rows = part.map(({ asset, day, history, price, values }) => ({
      assetNumber: numberOf(asset),
      day,
      history,
      price,
      values: valuesOfBytes(Buffer.from(values, 'base64')),
    }));
    yield { rows, removed: [] };
  }
}

/** The number 0 stands for all assets. */
function renumbered(row: RowRecord['row'], numberOf: (asset: AssetNumber) => AssetNumber): RowRecord['row'] {
  const changed = ['assetNumber', 'fromAsset'].flatMap(field => {
    const number = row[field];
    return typeof number === 'number' && number !== 0 ? [[field, numberOf(number)] as const] : [];
  });
  return { ...row, ...Object.fromEntries(changed) };
}

function keyOfRecord({ kind, hash, ...key }: KeyRecord) {
  return { ...key, hash: Uint8Array.from(Buffer.from(hash, 'hex')) };
}

function unknownAsset(asset: AssetNumber): never {
  throw new BackupError(`the backup refers to an asset ${asset} that is not in it`, 'Use another backup.');
}

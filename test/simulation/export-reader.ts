// A client that downloads the Parquet files of one server: the listing of the version that it shows, and the history of all assets, which
// may be of an earlier one. The folder stays when the server is killed, with what it had begun to write.

import assert from 'node:assert/strict';
import { isHistory } from '../../src/domain/datasets.ts';
import { ExportFiles } from '../../src/export/export-files.ts';
import { versionOf } from '../../src/export/export-folder.ts';
import { writeWholeHistory } from '../../src/export/lake/part-writer.ts';
import { writeTableFile } from '../../src/export/table-file.ts';
import type { Snapshot } from '../../src/snapshot/table.ts';
import type { Store } from '../../src/store/store.ts';
import { duckRows } from '../support/duckdb.ts';

const createdBy = 'tidemark version simulated';
const [DAILY, NEWEST] = [{ interval: '1d', quote: null }, { name: null }] as const;

export interface ExportingServer {
  readonly store: Pick<Store, 'readConsistently'>;
  readonly now: () => number;
  readonly onFailed: (error: unknown) => void;
}

/** The closes of each day from the first to the last, by symbol. */
export type ClosesBySymbol = ReadonlyMap<string, readonly number[]>;

export class ExportReader {
  readonly #folder: string;
  #files: ExportFiles<Snapshot> | null = null;
  #seen = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The server starts, also again. */
  start({ store, now, onFailed }: ExportingServer): void {
    this.#files?.stop();
    this.#files = new ExportFiles<Snapshot>({
      ...{ folder: this.#folder, maxBytes: 1e8, now, onFailed },
      make: async ({ tables, version }, { dataset, interval }, path, maxBytes) => {
        if (!isHistory(dataset)) return writeTableFile(tables[dataset], path, { version, createdBy });
        const request = { dataset, interval, quote: null, path, maxBytes, createdBy };
        return store
          .readConsistently(view => writeWholeHistory(view, request))
          .catch(error => {
            onFailed(error);
            throw error;
          });
      },
    });
  }

  /** `prices` are those of all rows that the server shows, by symbol. */
  async readListing(snapshot: Snapshot, prices: ReadonlyMap<string, number>): Promise<void> {
    const file = await this.#files!.find(snapshot, { dataset: 'ta-cur', ...DAILY, ...NEWEST });
    assert.ok(typeof file !== 'string', `the listing of version ${snapshot.version} cannot be downloaded: ${file}`);
    assert.equal(versionOf(file.name), snapshot.version);
    const rows = await duckRows(`SELECT symbol, price FROM '${file.path}' ORDER BY symbol`);
    const found = rows.map(({ symbol, price }) => [symbol, price]);
    assert.deepEqual(found, [...prices].sort(), `the file of version ${snapshot.version}`);
  }

  /** False if the store could not be read. `closesOf`: of each asset that was listed then. */
  async readHistory(snapshot: Snapshot, closesOf: (version: number) => ClosesBySymbol): Promise<boolean> {
    const file = await this.#files!.find(snapshot, { dataset: 'ta-hist', ...DAILY, ...NEWEST });
    if (typeof file === 'string') {
      assert.equal(file, 'failed');
      return false;
    }
    const version = versionOf(file.name);
    assert.ok(version >= this.#seen, `the history went back from version ${this.#seen} to ${version}`);
    this.#seen = version;
    const rows = await duckRows(
      `SELECT symbol, list(price ORDER BY "datetimeUTC") AS prices FROM '${file.path}' GROUP BY symbol`,
    );
    const found = new Map(rows.map(({ symbol, prices }) => [symbol, prices]));
    for (const [symbol, closes] of closesOf(version))
      assert.deepEqual(found.get(symbol), closes, `the history of ${symbol} in version ${version}`);
    return true;
  }
}

// What every adapter of the store must do; `freshUrl` gives the URL of a store that does not exist yet. `seeds` are those of the random
// markets: more for an adapter that stores the newest bars in another form.

import { after, before, describe } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { alertContract } from './store-alerts.ts';
import { appendContract } from './store-appends.ts';
import { assetContract } from './store-assets.ts';
import { barContract } from './store-bars.ts';
import { closeContract } from './store-closes.ts';
import { correctionContract } from './store-corrections.ts';
import { currentContract } from './store-current.ts';
import { factContract } from './store-facts.ts';
import { keyContract } from './store-keys.ts';
import { loadContract } from './store-loads.ts';
import { mergeContract } from './store-merge.ts';
import { originContract } from './store-origins.ts';
import { processContract } from './store-processes.ts';
import { replacedContract } from './store-replaced.ts';
import { reviewContract } from './store-reviews.ts';
import { seriesContract } from './store-series.ts';
import { sourceContract } from './store-sources.ts';

export interface Subject {
  /** The open store; tests make assets of their own, and may share it. */
  readonly store: Store;
  readonly url: string;
  /** Another handle on a store; closed at the end, whatever happens. */
  open(url: string): Promise<Store>;
  /** An empty store for tests that look at all of it; closed at the end too. */
  fresh(): Promise<Store>;
}

export function storeContract(name: string, freshUrl: () => Promise<string>, seeds: readonly number[] = [1]): void {
  describe(`the ${name} store`, () => {
    const opened: Store[] = [];
    // Set before the first test runs.
    const subject = { store: null as unknown as Store, url: '' };
    const open = async (url: string) => {
      const store = await openStore(url);
      opened.push(store);
      return store;
    };
    const use: () => Subject = () => ({ ...subject, open, fresh: async () => open(await freshUrl()) });

    before(async () => {
      subject.url = await freshUrl();
      subject.store = await open(subject.url);
    });
    after(async () => {
      for (const store of opened) await store.close();
    });

    assetContract(use);
    barContract(use);
    originContract(use);
    closeContract(use);
    replacedContract(use);
    currentContract(use);
    loadContract(use);
    processContract(use, freshUrl);
    keyContract(use, freshUrl);
    alertContract(use);
    correctionContract(use);
    reviewContract(use);
    seriesContract(use);
    appendContract(use, seeds);
    factContract(use, freshUrl);
    sourceContract(use);
    mergeContract(use);
  });
}

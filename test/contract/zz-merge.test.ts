import { mkdtempSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { mergeContract } from './store-merge.ts';

let files = 0;
const folder = mkdtempSync('/tmp/zz-');
for (const [name, freshUrl] of [
  ['sqlite', async () => `sqlite:${folder}/${++files}.db`],
] as const)
  describe(name, () => {
    const opened: Store[] = [];
    const s = { store: null as unknown as Store, url: '' };
    const open = async (url: string) => {
      const st = await openStore(url);
      opened.push(st);
      return st;
    };
    before(async () => {
      s.url = await freshUrl();
      s.store = await open(s.url);
    });
    after(async () => {
      for (const st of opened) await st.close();
    });
    mergeContract(() => ({ ...s, open, fresh: async () => open(await freshUrl()) }));
  });

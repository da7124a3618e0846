// Follows the live prices of a local exchange in a process of its own, to be killed.
//
//   node live-child.ts STORE URLS [MILLIS]    URLS is the JSON of ccxt's addresses, MILLIS the time between two batches

import { followPrices } from '../../../src/ingest/live/live-load.ts';
import { openStore } from '../../../src/store/open.ts';

const [url = '', urls = '{}', everyMs = '50'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const store = await openStore(url);
await followPrices({
  store,
  exchanges: [{ exchange: 'binance', urls: JSON.parse(urls), rateLimitMillis: 1 }],
  quotes: ['USDT'],
  everyMs: Number(everyMs),
  signal: stop.signal,
  onNote: text => process.stderr.write(`${text}\n`),
});
await store.close();

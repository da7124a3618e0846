// Follows the live prices of a local exchange in a process of its own, to be killed.
//
//   node live-child.ts STORE URLS    URLS is the JSON of ccxt's addresses

import { followPrices } from '../../../src/ingest/live/live-load.ts';
import { openStore } from '../../../src/store/open.ts';

const [url = '', urls = '{}'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const store = await openStore(url);
await followPrices({
  store,
  exchanges: [{ exchange: 'binance', urls: JSON.parse(urls), rateLimitMillis: 1 }],
  quotes: ['USDT'],
  everyMs: 50,
  signal: stop.signal,
  onNote: text => process.stderr.write(`${text}\n`),
});
await store.close();

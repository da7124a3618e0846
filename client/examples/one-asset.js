// What the service knows of one asset, and how one of its numbers was computed.

import { ApiError, Tidemark } from '@tidemark/client';

const tidemark = new Tidemark({ url: process.env.TIDEMARK_URL, apiKey: process.env.TIDEMARK_API_KEY });

const [{ symbol }] = (await tidemark.listing({ limit: 1 }).page()).result;
const { value, formula, exact } = await tidemark.explain(symbol, 'sma20');
console.log(`${symbol}: sma20 = ${formula} = ${value} (exactly ${exact})`);
const [week] = (await tidemark.bars({ symbol, interval: '1w', limit: 1 }).page()).result;
console.log(`close of the week: ${week.close}`);
const [volatility] = await tidemark.stats({ cols: 'vol30' }).toArray();
console.log(`median volatility of ${volatility.count} assets: ${volatility.p50} %`);

try {
  await tidemark.profile('no-such-asset');
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(`${error.code}: ${error.detail}`);
}

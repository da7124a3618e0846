// Assets whose average of 50 days is above that of 200 days, with the smallest volatility first.

import { Tidemark, where } from '@tidemark/client';

const tidemark = new Tidemark({ url: process.env.TIDEMARK_URL, apiKey: process.env.TIDEMARK_API_KEY });

const leastRatio = 1.02;
const query = {
  where: where`sma50 > ${leastRatio} * sma200 and price >= 1`,
  calc: { ratio: 'sma50 / sma200' },
  sort: 'vol30',
  order: 'asc',
};
for await (const row of tidemark.listing(query)) {
  console.log(row.symbol, row.price, row.ratio, row.vol30);
}

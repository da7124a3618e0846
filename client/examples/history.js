// The history of one asset, page by page.

import { Tidemark } from '@tidemark/client';

const tidemark = new Tidemark({ url: process.env.TIDEMARK_URL, apiKey: process.env.TIDEMARK_API_KEY });

const [first] = (await tidemark.assets({ sort: 'rank', limit: 1 }).page()).result;
let days = 0;
for await (const page of tidemark.history({ id: first.id, from: '2026-01-01', limit: 50 }).pages()) {
  days += page.result.length;
}
console.log(`${first.name}: ${days} days`);

// Datasets that a snapshot holds (`ta-cur`, `assets`): one row per asset.

import type { SnapshotDataset } from '../../domain/datasets.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { Endpoint, Examples } from '../endpoint.ts';
import { answerListing } from './answer.ts';
import { listingEndpoint } from './endpoint.ts';
import { pagesOf } from './page.ts';
import { planParser } from './plan-cache.ts';
import { queryStreams, wantsStream } from './query-streams.ts';
import { plannedSource } from './source.ts';

export function snapshotEndpoint(dataset: SnapshotDataset, examples: Examples): Endpoint {
  return listingEndpoint(dataset, {
    parser: planParser(dataset, CACHE_SHARES.listingPlans),
    examples,
    handle: context => {
      const stream = queryStreams(context);
      const pages = pagesOf(context);
      return (request, cached) => {
        const { plan } = cached;
        if (dataset.isStreamed && wantsStream(plan, request.headers.accept)) return stream(request, plan);
        return answerListing(context, request, cached, plannedSource(context, plan, dataset.name, pages, request));
      };
    },
  });
}

// Every endpoint of the service, in the order of the reference.

import { COMPAT } from './compat/endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { actions } from './endpoints/actions.ts';
import { alerts } from './endpoints/alerts.ts';
import { asset, coin } from './endpoints/asset.ts';
import { assets } from './endpoints/assets.ts';
import { bars } from './endpoints/bars.ts';
import { catalog } from './endpoints/catalog.ts';
import { closes } from './endpoints/closes.ts';
import { events } from './endpoints/events.ts';
import { explain } from './endpoints/explain.ts';
import { explorer } from './endpoints/explorer.ts';
import { exportDataset } from './endpoints/export.ts';
import { exportFile } from './endpoints/export-file.ts';
import { facets } from './endpoints/facets.ts';
import { findings } from './endpoints/findings.ts';
import { healthz } from './endpoints/healthz.ts';
import { mcp } from './endpoints/mcp.ts';
import { metrics } from './endpoints/metrics.ts';
import { openapi } from './endpoints/openapi.ts';
import { readyz } from './endpoints/readyz.ts';
import { llmsIndex, reference, referenceText } from './endpoints/reference.ts';
import { sources } from './endpoints/sources.ts';
import { statistics } from './endpoints/statistics.ts';
import { taCur } from './endpoints/ta-cur.ts';
import { taHist } from './endpoints/ta-hist.ts';

/** For the operator and for load balancers. */
export const OPERATIONAL: readonly Endpoint[] = [healthz, metrics, readyz];

export const ENDPOINTS: readonly Endpoint[] = [
  taCur,
  taHist,
  bars,
  assets,
  findings,
  actions,
  statistics,
  facets,
  asset,
  coin,
  closes,
  explain,
  sources,
  alerts,
  exportDataset,
  exportFile,
  mcp,
  events,
  ...COMPAT,
  catalog,
  openapi,
  referenceText,
  llmsIndex,
  reference,
  ...explorer,
  ...OPERATIONAL,
];

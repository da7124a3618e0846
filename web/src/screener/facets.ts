// The tags and types of the assets that a query selects, with their numbers of assets (`ta-cur/facets`).

import { useEffect, useState } from 'preact/hooks';
import type { TaCurFacetsQuery, TaCurFacetsRow } from '../../../client/src/index.ts';
import { type Params, tidemark } from '../api.ts';
import { failureIn } from '../failure.ts';

export type Facet = TaCurFacetsRow;

/** More are not worth a look. */
const MOST = 500;

async function loadFacets(params: Params, signal: AbortSignal): Promise<readonly Facet[]> {
  // The parameters of the address, which the service checks.
  return (await tidemark.facets({ ...params, limit: MOST } as TaCurFacetsQuery, { signal }).page()).result;
}

/** Empty until known; null asks for nothing. */
export function useFacets(params: Params | null): readonly Facet[] {
  const [facets, setFacets] = useState<readonly Facet[]>([]);
  useEffect(() => {
    if (params === null) return;
    const control = new AbortController();
    loadFacets(params, control.signal).then(setFacets, failureIn);
    return () => control.abort();
  }, [JSON.stringify(params)]);
  return facets;
}

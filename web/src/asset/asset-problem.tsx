// The asset page when there is no asset to show: which one was requested, what happened, and what to do.

import { tidemark } from '../api.ts';
import type { Failure } from '../failure.ts';
import { assetAddress } from '../routes.ts';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useRequest } from '../use-request.ts';

interface AssetProblemProps {
  readonly id: string;
  readonly failure: Failure;
  readonly onRetry: () => void;
}

export function AssetProblem({ id, failure, onRetry }: AssetProblemProps) {
  const problem = 'problem' in failure ? failure.problem : null;
  if (problem?.candidates !== undefined) {
    return (
      <div class="message-page">
        <h1>Which {id.toUpperCase()}?</h1>
        <Suggestions search={id} only={problem.candidates} />
      </div>
    );
  }
  if (failure.kind === 'missing') {
    return (
      <div class="message-page">
        <h1>There is no asset “{id}”</h1>
        <Suggestions search={id} only={null} />
        <p>
          <a href="/">Find it among all assets</a>
        </p>
      </div>
    );
  }
  return (
    <>
      <h1 class="visually-hidden">Asset {id}</h1>
      <ProblemNotice failure={failure} onRetry={onRetry} />
    </>
  );
}

/** The assets that a search finds, or just the ids where the search fails. */
function Suggestions({ search, only }: { readonly search: string; readonly only: readonly string[] | null }) {
  const { value } = useRequest(search, async signal => {
    return (await tidemark.assets({ q: search, limit: 5 }, { signal }).page()).result;
  });
  const found = new Map(value?.map(asset => [asset.id, asset]));
  const ids = only ?? [...found.keys()];
  if (ids.length === 0) return null;
  return (
    <>
      <p>{only === null ? 'Did you mean:' : `${ids.length} assets have this ticker. Choose one:`}</p>
      <ul class="likely-assets">
        {ids.map(id => {
          const asset = found.get(id);
          return (
            <li key={id}>
              <a href={assetAddress(id)}>{asset === undefined ? id : `${asset.name} (${asset.symbol})`}</a>
            </li>
          );
        })}
      </ul>
    </>
  );
}

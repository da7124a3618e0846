// A component whose code is loaded when it is first shown, so that the first page of the explorer stays small.

import type { FunctionComponent, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { networkFailure } from '../failure.ts';
import { ProblemNotice } from './problem-notice.tsx';

const RELOADED = 'tidemark-reloaded';

/** After an upgrade the file has another name: a reload finds it. Once per minute, so that it never loops. */
function reloadedNow(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < 60_000) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return true;
}

/** `waiting` is shown until the code is there. */
export function lazy<Props extends object>(
  load: () => Promise<{ readonly default: FunctionComponent<Props> }>,
  waiting: VNode,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return props => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded === null ? 'loading' : 'loaded');
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        module => {
          loaded = module.default;
          setState('loaded');
        },
        () => reloadedNow() || setState('failed'),
      );
    }, []);
    if (state === 'failed') return <ProblemNotice failure={networkFailure()} onRetry={() => location.reload()} />;
    const Loaded = loaded;
    return Loaded === null ? waiting : <Loaded {...props} />;
  };
}

// A failed request on the page: what happened, what to do, and the button that does it.

import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../failure.ts';
import { goToQuote } from '../routes.ts';
import { describeFailure } from './describe-failure.ts';
import { keyDialogOpen } from './key-dialog.tsx';

interface Props {
  readonly failure: Failure;
  readonly onRetry: () => void;
}

export function ProblemNotice({ failure, onRetry }: Props) {
  const { title, advice } = describeFailure(failure);
  return (
    <div class="problem" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      <div class="actions">
        {failure.kind === 'key' ? (
          <button type="button" class="primary" onClick={() => (keyDialogOpen.value = true)}>
            Enter an API key
          </button>
        ) : (
          <button type="button" class="primary" onClick={onRetry}>
            Retry
          </button>
        )}
        {'problem' in failure && failure.problem.code === 'unknown_quote' && (
          <button type="button" onClick={() => goToQuote('USD')}>
            Show prices in USD
          </button>
        )}
        {'retryAfter' in failure && <Countdown seconds={failure.retryAfter} onEnd={onRetry} />}
      </div>
    </div>
  );
}

/** Retries when the time is over, unless that is far away. */
function Countdown({ seconds, onEnd }: { readonly seconds: number; readonly onEnd: () => void }) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    if (left <= 0) return onEnd();
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 120 ? null : <span class="note">retrying in {left} s</span>;
}

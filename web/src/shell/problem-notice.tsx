// A failure as a person wants it: what happened, what to do, and the button that does it.

import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../failure.ts';
import { keyDialogOpen } from './key-dialog.tsx';

interface Described {
  readonly title: string;
  readonly advice: string;
}

export function describeFailure(failure: Failure): Described {
  switch (failure.kind) {
    case 'network':
      return {
        title: 'The service does not answer',
        advice: 'Check your connection, and that Tidemark runs at this address. Then try again.',
      };
    case 'key':
      return { title: failure.problem.title, advice: `${failure.problem.detail} ${keyAdvice(failure.problem.code)}` };
    case 'limit':
      return {
        title: failure.problem.title,
        advice: `${failure.problem.detail} It goes on in ${duration(failure.retryAfter)}.`,
      };
    case 'unready':
      return {
        title: 'There is no data yet',
        advice: sentence(failure.problem.detail, failure.problem.hint, 'This page looks again by itself.'),
      };
    case 'missing':
    case 'request':
      return { title: failure.problem.title, advice: sentence(failure.problem.detail, failure.problem.hint) };
    case 'server':
      return {
        title: 'The service made a mistake',
        advice: `Try again. If it stays, tell its operator the request id ${failure.problem.request_id ?? '(none given)'}.`,
      };
  }
}

/** The service's own hint tells how a program sends a key; a person here types it. */
function keyAdvice(code: string): string {
  switch (code) {
    case 'mistyped_key':
      return 'Copy it once more, whole, from tdm_ to its last character.';
    case 'missing_key':
      return 'Enter yours.';
    default:
      return 'Ask whoever runs this service for another one.';
  }
}

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
            Enter a key
          </button>
        ) : (
          <button type="button" class="primary" onClick={onRetry}>
            Try again
          </button>
        )}
        {'retryAfter' in failure && <Countdown seconds={failure.retryAfter} onEnd={onRetry} />}
      </div>
    </div>
  );
}

/** Tries again by itself when the time is over, unless that is far away. */
function Countdown({ seconds, onEnd }: { readonly seconds: number; readonly onEnd: () => void }) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    if (left <= 0) return onEnd();
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 120 ? null : <span class="note">again in {left} s</span>;
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

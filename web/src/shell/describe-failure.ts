// Turns a failed request into a title and advice for the user.

import type { Failure } from '../failure.ts';

interface Described {
  readonly title: string;
  readonly advice: string;
}

export function describeFailure(failure: Failure): Described {
  switch (failure.kind) {
    case 'network':
      return {
        title: 'The service does not answer',
        advice: 'Check your connection, and that Tidemark runs at this address. This page retries automatically.',
      };
    case 'key':
      return { title: failure.problem.title, advice: `${failure.problem.detail} ${keyAdvice(failure.problem.code)}` };
    case 'limit':
      return {
        title: failure.problem.title,
        advice: `${failure.problem.detail} This page continues in ${duration(failure.retryAfter)}.`,
      };
    case 'unready':
      return {
        title: 'There is no data yet',
        advice: sentence(failure.problem.detail, failure.problem.hint, 'This page retries automatically.'),
      };
    case 'missing':
    case 'request':
      return { title: failure.problem.title, advice: sentence(failure.problem.detail, failure.problem.hint) };
    case 'server':
      return {
        title: 'The service failed',
        advice: `If it happens again, tell the operator the request id ${failure.problem.requestId ?? '(none given)'}.`,
      };
  }
}

/** The hint of the API says how a program sends its key; here the user types it. */
function keyAdvice(code: string): string {
  switch (code) {
    case 'mistyped_key':
      return 'Copy the whole API key again, from tdm_ to its last character.';
    case 'missing_key':
      return 'Enter your API key.';
    default:
      return 'Ask the operator of this service for another API key.';
  }
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

// The kinds of routes, and the route of a path: exact paths by look-up, those with `*` by what precedes and follows it.

import type { IncomingMessage } from 'node:http';
import { decodeUri } from '../common/decode-uri.ts';
import { ApiError } from '../errors.ts';
import type { Handler } from './wire/answer.ts';
import { type Problem, problemAnswer } from './wire/problem.ts';

export interface Route {
  /** `*` matches anything up to the next slash, or as many segments as `segments` says. */
  readonly path: string;
  /** How many segments of a path `*` stands for; 1 unless it is stated. */
  readonly segments?: number;
  /** The name under which its requests are counted, if not its path. */
  readonly label?: string;
  /**
   * Data, streams (which end when the client or the server ends them) and tools need an API key. Documents (made once for all clients) and
   * probes (a few bytes) are open to all, so that no stranger can cause work per request.
   */
  readonly kind: 'data' | 'stream' | 'tools' | 'document' | 'probe';
  /** Reads a query string; what it returns answers the request. Throws an ApiError. */
  readonly parse: (query: string) => Handler;
  /** Served also when the server is overloaded. */
  readonly urgent?: boolean;
  /** A path with `//` in the place of `/` is the same: a client of CoinPaprika calls `tickers//btc-bitcoin`. */
  readonly slashesRepeat?: boolean;
  /** Of a path that is called by POST; otherwise bodies are ignored. */
  readonly post?: Post;
  /** The form of its errors, if it is not a problem of RFC 9457. */
  readonly problem?: Problem;
}

interface Post {
  /** Longer bodies are refused. */
  readonly maxBodyBytes: number;
  /** Refuses a request before its API key is looked at: throws an ApiError. */
  readonly check: (request: IncomingMessage) => void;
  /** The form of its errors. */
  readonly problem: Problem;
}

export interface MatchedRoute {
  readonly label: string;
  readonly needsApiKey: boolean;
  readonly urgent: boolean;
  readonly slashesRepeat: boolean;
  readonly parse: Route['parse'];
  readonly post: Post | null;
  readonly problem: Problem;
  /** What stands in the place of `*`, decoded. */
  readonly rest: string;
}

export function labelOf({ path, label }: Route): string {
  return label ?? path;
}

export class Routes {
  readonly #exact = new Map<string, MatchedRoute>();
  readonly #patterns: Pattern[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const matched = matchedRoute(route);
      const { path, segments = 1 } = route;
      const [start = '', end] = path.split('*');
      if (end === undefined) this.#exact.set(path, matched);
      else this.#patterns.push({ start, end, segments, route: matched });
    }
  }

  /** The route of a path that is called by POST; null if there is none. */
  findPost(path: string): MatchedRoute | null {
    const route = this.#exact.get(path) ?? this.#exact.get(path.replace(/\/$/, ''));
    return route?.post == null ? null : route;
  }

  find(path: string): MatchedRoute | null {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    // One slash at the end, which some clients add, is ignored for data only: a proxy that hides /metrics hides just that path.
    if (path.endsWith('/') && !path.endsWith('//')) {
      const matched = this.find(path.slice(0, -1));
      return matched?.needsApiKey ? matched : null;
    }
    for (const { start, end, segments, route } of this.#patterns) {
      if (!path.startsWith(start) || !path.endsWith(end)) continue;
      const rest = path.slice(start.length, path.length - end.length);
      // An encoded slash belongs to the rest; any other one begins a path that does not exist.
      if (rest.split('/').length === segments) return { ...route, rest: decoded(rest) };
    }
    if (path.includes('//')) {
      const matched = this.find(path.replace(/\/{2,}/g, '/'));
      if (matched?.slashesRepeat) return matched;
    }
    // A path that cannot be decoded is another error than one that does not exist. One that can be decoded is another path all
    // the same: a proxy that hides /metrics need not know all ways to write it.
    decoded(path);
    return null;
  }
}

interface Pattern {
  readonly start: string;
  readonly end: string;
  readonly segments: number;
  readonly route: MatchedRoute;
}

function matchedRoute(route: Route): MatchedRoute {
  const { kind, urgent = false, slashesRepeat = false, parse, post = null, problem = problemAnswer } = route;
  const needsApiKey = kind !== 'document' && kind !== 'probe';
  const common = { label: labelOf(route), needsApiKey, urgent, slashesRepeat, parse, post };
  return { ...common, problem: post?.problem ?? problem, rest: '' };
}

function decoded(text: string): string {
  const clear = decodeUri(text);
  if (clear === null) throw new ApiError('bad_path', 'The path cannot be decoded.');
  return clear;
}

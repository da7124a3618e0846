// Finds the route of a path: exact ones by a look-up, and those that end with `*` by what stands before it.

import { ApiError } from '../../errors.ts';
import type { Handler } from './answer.ts';

export interface Route {
  /** `*` at the end takes in whatever follows, up to the next slash. */
  readonly path: string;
  /** The name under which its requests are counted, where that is not its path. */
  readonly label?: string;
  /** Whether it needs a key. */
  readonly keyed: boolean;
  readonly handle: Handler;
}

export interface Found {
  readonly route: Route;
  readonly rest: string;
}

export function labelOf({ path, label }: Route): string {
  return label ?? path;
}

export class Routes {
  readonly #exact = new Map<string, Found>();
  readonly #open: readonly { readonly start: string; readonly route: Route }[];

  constructor(routes: readonly Route[]) {
    for (const route of routes) if (!route.path.endsWith('*')) this.#exact.set(route.path, { route, rest: '' });
    this.#open = routes
      .filter(route => route.path.endsWith('*'))
      .map(route => ({ start: route.path.slice(0, -1), route }));
  }

  find(path: string): Found | null {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const { start, route } of this.#open) {
      // A slash that was sent encoded belongs to the rest, any other one begins a path that is none of ours.
      if (path.startsWith(start) && !path.includes('/', start.length)) {
        return { route, rest: decoded(path.slice(start.length)) };
      }
    }
    // What cannot be decoded is told apart from what is not there. What can be is another path all the same: a proxy that keeps
    // /metrics from the public need not know all ways to write it.
    decoded(path);
    return null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('bad_path', 'The path cannot be decoded.');
  }
}

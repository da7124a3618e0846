// An observer that records nothing.

import type { ApiObserver } from '../../src/api/observer.ts';

export const UNOBSERVED: ApiObserver = {
  routes: () => {},
  connected: () => {},
  refused: () => {},
  taken: () => {},
  answered: () => {},
  dropped: () => {},
  streaming: () => {},
  queued: () => {},
  waiting: () => {},
  held: () => {},
  unreadable: () => {},
  lookedUp: () => {},
  toolCalled: () => {},
};

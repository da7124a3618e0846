// Notices while a tab is open that the service has new data: now and then, as long as somebody looks, it asks for the tag
// of an answer and nothing else.

import { signal } from '@preact/signals';
import { dataTag } from './api.ts';
import { failureIn } from './failure.ts';
import { keyIsMissing } from './key.ts';

/** Grows whenever the service has new data; what shows data fetches it again then. */
export const dataVersion = signal(0);

const EVERY_MS = 60_000;

let known: string | null = null;

export function watchForNewData(): void {
  void look();
  setInterval(look, EVERY_MS);
  // Whoever comes back to the tab does not wait for the minute to end.
  document.addEventListener('visibilitychange', look);
}

async function look(): Promise<void> {
  if (document.hidden || keyIsMissing.value) return;
  try {
    const tag = await dataTag();
    if (tag === null || tag === known) return;
    if (known !== null) dataVersion.value++;
    known = tag;
  } catch (error) {
    // Nobody asked for anything, so nobody needs to hear that it failed.
    failureIn(error);
  }
}

// Detects new data while a tab is open: once per minute, while the tab is visible, it requests the ETag of a response.

import { signal } from '@preact/signals';
import { dataTag, readiness, tidemark } from './api.ts';
import { refreshIntervals } from './catalog.ts';
import { failureIn } from './failure.ts';
import { keyIsMissing } from './key.ts';

/** Grows whenever the service has new data; what shows data fetches it again then. */
export const dataVersion = signal(0);

/** UTC day of the newest close, such as 2026-06-30; null until known. */
export const newestDay = signal<string | null>(null);
/** UTC day of the oldest close; null until `findFirstDay` has found it. */
export const firstDay = signal<string | null>(null);
/** Assets that the listing leaves out; null until known. */
export const inactiveAssets = signal<number | null>(null);

/** The tab is in the background. */
export const tabHidden = signal(document.hidden);

const EVERY_MS = 60_000;

let known: string | null = null;

export function watchForNewData(): void {
  void look();
  setInterval(look, EVERY_MS);
  // At once when the user returns to the tab.
  document.addEventListener('visibilitychange', () => {
    tabHidden.value = document.hidden;
    void look();
  });
}

/** Asked for once it matters. */
export async function findFirstDay(): Promise<void> {
  if (firstDay.value !== null) return;
  try {
    const query = { sort: 'first_data_at', order: 'asc', limit: 1 } as const;
    const { result } = await tidemark.assets(query).page();
    firstDay.value = result[0]?.first_data_at?.slice(0, 10) ?? null;
  } catch (error) {
    // Without it a day is checked by the service alone.
    failureIn(error);
  }
}

async function look(): Promise<void> {
  if (document.hidden || keyIsMissing.value) return;
  try {
    const { newest_day: day, inactive } = await readiness();
    newestDay.value = day;
    inactiveAssets.value = inactive;
    const tag = await dataTag();
    if (tag === null || tag === known) return;
    if (known !== null) {
      await refreshIntervals();
      dataVersion.value++;
    }
    known = tag;
  } catch (error) {
    // The user did not request this, so a failure is not shown.
    failureIn(error);
  }
}

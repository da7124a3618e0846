// The colours of rises and falls: blue and orange, which every kind of colour vision tells apart, or green and red if the user chooses.

import { signal } from '@preact/signals';

const STORAGE_KEY = 'tidemark-colours';
const GREEN_RED = 'green-red';

/** What is shown now; a chart that paints its own colours follows it. */
export const greenRed = signal(localStorage.getItem(STORAGE_KEY) === GREEN_RED);

export function applyDirectionColours(): void {
  if (greenRed.value) document.documentElement.dataset['colours'] = GREEN_RED;
  else delete document.documentElement.dataset['colours'];
}

export function toggleDirectionColours(): void {
  greenRed.value = !greenRed.value;
  if (greenRed.value) localStorage.setItem(STORAGE_KEY, GREEN_RED);
  else localStorage.removeItem(STORAGE_KEY);
  applyDirectionColours();
}

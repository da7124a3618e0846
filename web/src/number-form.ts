// How numbers are written: as in the user's language, or plain, ready for a program.

import { signal } from '@preact/signals';

export type NumberForm = 'plain' | { readonly locale: string };

const SLOT = 'tidemark-numbers';

/** Outside a browser, as in the United States. */
const storage = globalThis.localStorage;
const local: NumberForm = { locale: storage === undefined ? 'en-US' : navigator.language };

export const numberForm = signal<NumberForm>(storage?.getItem(SLOT) === 'plain' ? 'plain' : local);

export function toggleNumberForm(): void {
  numberForm.value = numberForm.value === 'plain' ? local : 'plain';
  if (numberForm.value === 'plain') storage.setItem(SLOT, 'plain');
  else storage.removeItem(SLOT);
}

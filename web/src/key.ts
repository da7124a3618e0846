// The API key: kept for this tab, or on this device if the user chooses so; sent as a header, never part of a URL.

import { computed, signal } from '@preact/signals';
import { pageConfig } from './page-config.ts';

const SLOT = 'tidemark-key';

const entered = signal<string | null>(sessionStorage.getItem(SLOT) ?? localStorage.getItem(SLOT));

/** The user's own key has precedence over the demo's. */
export const key = computed<string | null>(() => entered.value ?? pageConfig.demoKey);

/** A public key, which an example may show. */
export const keyIsPublic = computed<boolean>(() => key.value !== null && key.value === pageConfig.demoKey);

export const keyIsOwn = computed<boolean>(() => entered.value !== null);

export const keyIsMissing = computed<boolean>(() => key.value === null && !pageConfig.open);

/** Grows with every key that is entered, also when it is the same again. */
export const keysEntered = signal(0);

export function keepKey(text: string, onDevice: boolean): void {
  sessionStorage.setItem(SLOT, text);
  if (onDevice) localStorage.setItem(SLOT, text);
  else localStorage.removeItem(SLOT);
  keysEntered.value++;
  entered.value = text;
}

export function forgetKey(): void {
  sessionStorage.removeItem(SLOT);
  localStorage.removeItem(SLOT);
  entered.value = null;
}

// Light or dark: follows the system until the user chooses.

import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'tidemark-theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');

const chosen = signal<Theme | null>(stored());

/** What is shown now; a chart that paints its own colours follows it. */
export const theme = signal<Theme>(current());

function stored(): Theme | null {
  const text = localStorage.getItem(STORAGE_KEY);
  return text === 'light' || text === 'dark' ? text : null;
}

function current(): Theme {
  return chosen.value ?? (systemDark.matches ? 'dark' : 'light');
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current();
  theme.value = current();
}

export function toggleTheme(): void {
  chosen.value = current() === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, chosen.value);
  applyTheme();
}

systemDark.addEventListener('change', applyTheme);

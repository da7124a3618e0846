// Whether the window is as narrow as a phone, as the style sheets have it.

import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 40rem)');

export const narrow = signal(query.matches);

query.addEventListener('change', () => {
  narrow.value = query.matches;
});

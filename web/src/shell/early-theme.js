// Chooses light or dark before anything is painted: a plain script in the head, since modules run after the first picture.
// theme.ts goes on from here, under the same name in the storage.

const chosen = localStorage.getItem('tidemark-theme');
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset['theme'] = chosen === 'light' || chosen === 'dark' ? chosen : system;

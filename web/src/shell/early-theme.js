// Chooses light or dark, and the colours of rises and falls, before anything is painted: a plain script in the head, since modules run after the first picture.
// theme.ts and direction-colours.ts go on from here, under the same names in the storage.

const chosen = localStorage.getItem('tidemark-theme');
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset['theme'] = chosen === 'light' || chosen === 'dark' ? chosen : system;
if (localStorage.getItem('tidemark-colours') === 'green-red') document.documentElement.dataset['colours'] = 'green-red';

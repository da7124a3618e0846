// Light or dark before the first paint, as the explorer has it: by its button, or else by the system. Runs in the browser.

/** @type {{ getItem(name: string): string | null }} */
const storage = Reflect.get(globalThis, 'localStorage');
/** @type {{ matches: boolean, addEventListener(name: string, listener: () => void): void }} */
const systemDark = Reflect.get(globalThis, 'matchMedia')('(prefers-color-scheme: dark)');
/** @type {{ toggle(name: string, on: boolean): void }} */
const classes = Reflect.get(globalThis, 'document').documentElement.classList;

function applyTheme() {
  const chosen = storage.getItem('tidemark-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && systemDark.matches);
  // The class is Swagger UI's.
  classes.toggle('dark-mode', dark);
}

applyTheme();
systemDark.addEventListener('change', applyTheme);

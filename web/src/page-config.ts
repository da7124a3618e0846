// Settings that the server writes into the page: the group, whether an API key is needed, and how to create one.

export interface PageConfig {
  /** Segment of the API's paths. */
  readonly group: string;
  /** The documented key of the demo; null elsewhere. */
  readonly demoKey: string | null;
  /** The service answers without a key. */
  readonly open: boolean;
  /** The command that creates an API key; null when the server does not state it. */
  readonly keyCommand: string | null;
}

/** Without a server behind it (in development) the element is empty. */
const DEFAULTS: PageConfig = { group: 'crypto', demoKey: null, open: false, keyCommand: null };

function read(): PageConfig {
  const content = document.querySelector<HTMLMetaElement>('meta[name="tidemark"]')?.content;
  // The server writes the whole object or nothing.
  return content ? { ...DEFAULTS, ...(JSON.parse(content) as Partial<PageConfig>) } : DEFAULTS;
}

export const pageConfig: PageConfig = read();

// The query part of an address.

/** A list is sent as a repeated parameter; undefined is left out. */
export type Params = Readonly<Record<string, string | number | undefined | readonly string[]>>;

/** Percent-encoded where an address needs it, and readable elsewhere. */
export function queryString(params: Params): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const values = typeof value === 'object' ? value : [String(value)];
    for (const each of values) pairs.push(`${encode(name)}=${encode(each)}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Colons and commas separate values here and need no escape. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',');
}

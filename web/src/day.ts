// UTC days as the addresses of pages and the API write them: 2026-01-31.

/** Null unless the text is a day of the calendar. */
export function dayOrNull(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** The address with this past day, or without one: `as_of` is the same on every page. */
export function withDay(address: string, day: string | null): string {
  const [path = '/', query = ''] = address.split('?', 2);
  const others = query.split('&').filter(pair => pair !== '' && !pair.startsWith('as_of='));
  const pairs = day === null ? others : [...others, `as_of=${day}`];
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

// Reads single fields of an untrusted JSON record: each has a type, and what is not of it becomes a problem with its path.

export type Json = Readonly<Record<string, unknown>>;
/** A record that claims to be a T: its members by name, each of any type or missing. */
export type Unchecked<T> = { readonly [Key in keyof T]?: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What was found, short enough for one line. */
export function got(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export class FieldReader {
  readonly problems: string[] = [];
  readonly #extra: [path: string, value: unknown][] = [];

  problem(path: string, expected: string, value: unknown): void {
    this.problems.push(`${path}: expected ${expected}, got ${got(value)}`);
  }

  /** Members without a place in the record; `fromEntries` because a member may be called `__proto__`. */
  extra(): Json {
    return Object.fromEntries(this.#extra);
  }

  keepOthers(value: object, prefix: string, known: readonly string[]): void {
    for (const [key, member] of Object.entries(value)) {
      if (!known.includes(key)) this.#extra.push([`${prefix}${key}`, member]);
    }
  }

  text(value: unknown, path: string, longest = Number.POSITIVE_INFINITY): string {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
    const isLong = typeof value === 'string' && value.length > longest;
    this.problem(path, isLong ? `at most ${longest} characters` : 'a text that is not empty', value);
    return '';
  }

  anyText(value: unknown, path: string): string {
    if (typeof value === 'string') return value;
    this.problem(path, 'a text', value);
    return '';
  }

  optionalText(value: unknown, path: string): string | null {
    if (value === undefined || value === null || typeof value === 'string') return value ?? null;
    this.problem(path, 'a text or null', value);
    return null;
  }

  flag(value: unknown, path: string): boolean | null {
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
    this.problem(path, 'true, false or null', value);
    return null;
  }

  count(value: unknown, path: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    this.problem(path, 'an integer (0 or more)', value);
    return 0;
  }

  /** ISO 8601, written back as `YYYY-MM-DDTHH:MM:SSZ`; without a zone it is UTC, without a time it is midnight. */
  time(value: unknown, path: string): string | null {
    if (value === undefined || value === null || value === '') return null;
    const millis = typeof value === 'string' ? instant(value) : Number.NaN;
    if (!Number.isNaN(millis)) return `${new Date(millis).toISOString().slice(0, 19)}Z`;
    this.problem(path, 'a time such as "2009-01-03T00:00:00Z" or null', value);
    return null;
  }

  object(value: unknown, path: string): Json {
    if (isObject(value)) return value;
    if (value !== undefined && value !== null) this.problem(path, 'an object or null', value);
    return {};
  }

  texts(value: unknown, path: string): string[] {
    return this.#items(value, path).filter((item, index): item is string => {
      if (typeof item === 'string') return true;
      this.problem(`${path}[${index}]`, 'a text', item);
      return false;
    });
  }

  list<T>(value: unknown, path: string, read: (reader: FieldReader, item: Json, path: string) => T): T[] {
    const items: T[] = [];
    for (const [index, item] of this.#items(value, path).entries()) {
      if (isObject(item)) items.push(read(this, item, `${path}[${index}]`));
      else this.problem(`${path}[${index}]`, 'an object', item);
    }
    return items;
  }

  #items(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (value !== undefined && value !== null) this.problem(path, 'a list or null', value);
    return [];
  }
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Milliseconds since 1970, NaN for what is not an ISO 8601 time or not a day of the calendar. */
export function instant(text: string): number {
  const match = ISO_TIME.exec(text.trim());
  if (match === null) return Number.NaN;
  const [, day = '', time = '00:00', zone = 'Z'] = match;
  const midnight = Date.parse(`${day}T00:00Z`);
  // V8 rolls 2023-02-30 over into March instead of refusing it.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return Number.NaN;
  return Date.parse(`${day}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()}`);
}

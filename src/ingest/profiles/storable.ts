// Which JSON values every store can hold: PostgreSQL takes neither NUL characters nor halves of surrogate pairs.

/** Far deeper than any profile; keeps the walk, and every later one, off the end of the stack. */
const MAX_DEPTH = 64;

/** What no store could hold, as a sentence with its path; null when there is nothing. */
export function unstorable(value: unknown, path = '', depth = 0): string | null {
  if (typeof value === 'string') return brokenText(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return `${path}: expected at most ${MAX_DEPTH} levels of nesting`;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of entries) {
    const at = typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const problem = (typeof key === 'string' ? brokenText(key, at) : null) ?? unstorable(member, at, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function brokenText(text: string, path: string): string | null {
  if (text.includes('\0')) return `${printable(path)}: expected a text without NUL characters`;
  if (!text.isWellFormed())
    return `${printable(path)}: expected whole Unicode characters, got half of a surrogate pair`;
  return null;
}

/** A broken key is part of its own path. */
function printable(path: string): string {
  return path.toWellFormed().replaceAll('\0', '\uFFFD');
}

// Makes foreign text safe to write to a terminal.

/** Control characters but tab and line feed, line separators, and characters that reorder text. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Writes control characters as `\u001b` and the like, which JSON reads back: names in a file must neither move the cursor nor
 * set the title nor write to the clipboard.
 */
export function visibleControls(text: string): string {
  return text.replace(UNSAFE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

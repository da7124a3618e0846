// Percent-decoding that reports broken input as null instead of throwing.

export function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

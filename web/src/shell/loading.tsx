// Says that something is on its way; shown only after a moment, since most answers are faster than a blink.

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}

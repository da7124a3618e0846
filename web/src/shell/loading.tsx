// “Loading …”, shown only after a moment, because most responses arrive sooner.

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}

export function ScreenerPage({ search }: { readonly search: string }) {
  return <p>{search}</p>;
}

// The colour in which the chart draws something.

/** `colour` is a CSS custom property. */
export function Swatch({ colour }: { readonly colour: string }) {
  return <span class="swatch" style={{ background: `var(${colour}, var(--accent))` }} aria-hidden="true" />;
}

// The colour in which the chart draws something.

interface SwatchProps {
  /** `price`, `bands`, or anything else for an average. */
  readonly kind?: string;
  /** Of the average, in days. */
  readonly window?: number | undefined;
}

export function Swatch({ kind = '', window }: SwatchProps) {
  const style = window === undefined ? undefined : { background: `var(--sma-${window}, var(--accent))` };
  return <span class={`swatch ${kind}`} style={style} aria-hidden="true" />;
}

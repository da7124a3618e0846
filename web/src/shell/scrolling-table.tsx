// A table that scrolls sideways if the window is narrow.

import type { ComponentChildren } from 'preact';

interface Props {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

export function ScrollingTable({ class: name, label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section class={name} aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

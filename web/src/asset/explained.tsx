// A number that opens its explanation.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface ExplanationOf {
  /** Id of the asset. */
  readonly asset: string;
  readonly column: string;
  /** The day of the value, or a time of it, as the API takes it; null for the latest value of what has no history. */
  readonly at: string | null;
}

export interface OpenExplanation extends ExplanationOf {
  /** How many were opened before. */
  readonly opening: number;
}

/** What the dialog explains; null while it is closed. */
export const explained = signal<OpenExplanation | null>(null);
let openings = 0;

interface ExplainedProps extends ExplanationOf {
  /** The number. */
  readonly children: ComponentChildren;
}

export function Explained({ asset, column, at, children }: ExplainedProps) {
  return (
    <button
      type="button"
      class="explained"
      title="How is this computed?"
      aria-haspopup="dialog"
      onClick={() => {
        explained.value = { asset, column, at, opening: openings++ };
      }}
    >
      {children}
    </button>
  );
}

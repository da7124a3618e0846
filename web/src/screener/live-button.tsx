// Shows whether the numbers are live, and pauses them.

import { livePaused } from './live-feed.ts';
import type { RowSource } from './row-source.ts';

export function LiveButton({ source }: { readonly source: RowSource }) {
  const paused = livePaused.value;
  const state = paused ? 'paused' : source.live.state.value;
  if (state === 'refused') {
    return (
      <span class="live note" title="Your API key has no free stream. New data is fetched once per minute.">
        Not live
      </span>
    );
  }
  return (
    <button
      type="button"
      class={`live ${state}`}
      aria-pressed={paused}
      aria-label={paused ? 'Paused: resume updates' : 'Live: pause updates'}
      title={paused ? 'Show changes again as they happen' : 'Stop the numbers from changing'}
      onClick={() => (livePaused.value = !paused)}
    >
      <span class="dot" aria-hidden="true" />
      {paused ? 'Paused' : 'Live'}
    </button>
  );
}

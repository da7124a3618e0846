// Copies a link to what the table shows, columns included.

import { useEffect, useState } from 'preact/hooks';
import { type View, viewAddress } from './view.ts';

/** The button, and for a line of its own what it says; the link where the page may not copy. */
export function useShare(view: View): { readonly button: preact.JSX.Element; readonly said: preact.JSX.Element } {
  const [said, setSaid] = useState<'copied' | 'refused' | null>(null);
  const address = location.origin + viewAddress(view, true);
  useEffect(() => setSaid(null), [address]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      setSaid('copied');
    } catch {
      // A page that is served without TLS has no clipboard.
      setSaid('refused');
    }
  }

  return {
    button: (
      <button type="button" onClick={() => void copy()} title="Copy a link to this screen">
        Share
      </button>
    ),
    said: (
      <p role="status" class="note share-said">
        {said === 'copied' && 'Link copied'}
        {said === 'refused' && (
          <>
            Copy this link: <span class="address">{address}</span>
          </>
        )}
      </p>
    ),
  };
}

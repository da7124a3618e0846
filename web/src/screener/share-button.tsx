// Copies a link to what the table shows, columns included.

import { useEffect, useState } from 'preact/hooks';
import { type View, viewAddress } from './view.ts';

/** The button, and for a line of its own what it says; the link where the page may not copy. */
export function useShare(view: View): { readonly button: preact.JSX.Element; readonly message: preact.JSX.Element } {
  const [message, setMessage] = useState<'copied' | 'refused' | null>(null);
  const address = location.origin + viewAddress(view, true);
  useEffect(() => setMessage(null), [address]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      setMessage('copied');
    } catch {
      // A page that is served without TLS has no clipboard.
      setMessage('refused');
    }
  }

  return {
    button: (
      <button type="button" onClick={() => void copy()} title="Copy a link to this screen">
        Share
      </button>
    ),
    message: (
      <p role="status" class="note share-message">
        {message === 'copied' && 'Link copied'}
        {message === 'refused' && (
          <>
            Copy this link: <span class="address">{address}</span>
          </>
        )}
      </p>
    ),
  };
}

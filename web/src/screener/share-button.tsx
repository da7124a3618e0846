// Copies a link to what the table shows, columns included.

import { useEffect, useState } from 'preact/hooks';
import { type View, viewAddress } from './view.ts';

export function ShareButton({ view }: { readonly view: View }) {
  const [said, setSaid] = useState('');
  const address = location.origin + viewAddress(view, true);
  useEffect(() => setSaid(''), [address]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      setSaid('Link copied');
    } catch {
      // A page that is served without TLS has no clipboard.
      setSaid(address);
    }
  }

  return (
    <>
      <button type="button" onClick={() => void copy()} title="Copy a link to this screen">
        Share
      </button>
      <span role="status" class="note share-said">
        {said}
      </span>
    </>
  );
}

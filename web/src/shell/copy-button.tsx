// Copies a text, or selects it where the page may not copy.

import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  readonly text: string;
  /** Id of the element that shows the text. */
  readonly from: string;
}

export function CopyButton({ text, from }: CopyButtonProps) {
  const [message, setMessage] = useState('');
  useEffect(() => setMessage(''), [text]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied');
    } catch {
      // A page that is served without TLS has no clipboard.
      const range = document.createRange();
      range.selectNodeContents(document.getElementById(from)!);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      setMessage('Selected: press Ctrl+C');
    }
  }

  return (
    <>
      <button type="button" class="primary" onClick={copy}>
        Copy
      </button>
      <span role="status" class="note">
        {message}
      </span>
    </>
  );
}

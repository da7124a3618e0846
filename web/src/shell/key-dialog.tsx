// Asks for an API key, checks it with the service, and keeps it for this tab or on this device.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { tryKey } from '../api.ts';
import { type Failure, failureIn } from '../failure.ts';
import { keepKey, keyIsMissing } from '../key.ts';
import { pageConfig } from '../page-config.ts';
import { describeFailure } from './describe-failure.ts';

export const keyDialogOpen = signal(false);

export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [trying, setTrying] = useState(false);
  const [remember, setRemember] = useState(false);
  const required = keyIsMissing.value;

  useEffect(() => dialog.current?.showModal(), []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const candidate = text.trim();
    if (candidate === '') return;
    setTrying(true);
    setFailure(null);
    try {
      await tryKey(candidate);
      keepKey(candidate, remember);
      keyDialogOpen.value = false;
    } catch (error) {
      setFailure(failureIn(error));
    } finally {
      setTrying(false);
    }
  }

  return (
    <dialog
      ref={dialog}
      class="key-dialog"
      aria-labelledby="key-title"
      onClose={() => (keyDialogOpen.value = false)}
      // Without a key there is nothing to go back to.
      onCancel={event => required && event.preventDefault()}
    >
      <form onSubmit={submit}>
        <h2 id="key-title">Your API key</h2>
        <KeyCommand />
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellcheck={false}
          placeholder="tdm_…"
          value={text}
          aria-invalid={failure !== null}
          aria-describedby="key-note key-error"
          onInput={event => setText(event.currentTarget.value)}
        />
        <p id="key-note" class="note">
          Sent as a header, never as part of a URL. Without the box below, it is forgotten when you close this tab.
        </p>
        <label class="remember">
          <input type="checkbox" checked={remember} onChange={event => setRemember(event.currentTarget.checked)} />{' '}
          Remember on this device
        </label>
        <p id="key-error" class="field-error" role="alert">
          {failure && <FailureText failure={failure} />}
        </p>
        <div class="actions">
          {!required && (
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          )}
          <button type="submit" class="primary" disabled={trying}>
            {trying ? 'Checking …' : 'Use this API key'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function KeyCommand() {
  const { keyCommand } = pageConfig;
  return keyCommand !== null ? (
    <p>
      Create an API key with <code>{keyCommand}</code>
    </p>
  ) : (
    <p>
      The operator of this service creates API keys with <code>./tidemark keys create --tier pro --name me</code>, with
      the same <code>--store</code> as the server.
    </p>
  );
}

function FailureText({ failure }: { readonly failure: Failure }) {
  const { title, advice } = describeFailure(failure);
  return (
    <>
      <strong>{title}.</strong> {advice}
    </>
  );
}

// The screens that this browser watches: their state, a test, a pause, and what they have reported.

import { useEffect } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { notices, removeWatch, saveWatch, unseen, type Watch, watches } from '../watches.ts';
import { alertQuery, WHEN } from './alert-command.ts';
import { runWatches, testNotice, watchStates } from './watch-runner.ts';

export function WatchList() {
  useEffect(() => {
    runWatches();
  }, []);
  useEffect(() => {
    unseen.value = 0;
  }, [unseen.value]);
  if (watches.value.length === 0 && notices.value.length === 0) return null;
  return (
    <section class="card" aria-labelledby="watches-title">
      <h2 id="watches-title">Watched in this browser</h2>
      {watches.value.length > 0 && (
        <ul class="watches">
          {watches.value.map(watch => (
            <WatchItem key={watch.name} watch={watch} />
          ))}
        </ul>
      )}
      {notices.value.length > 0 && (
        <>
          <h3>Latest notifications</h3>
          <ul class="notices">
            {notices.value.map(({ at, title, text, address }) => (
              <li key={`${at} ${title}`}>
                <time dateTime={at}>{new Date(at).toLocaleString()}</time> <a href={address}>{title}</a>
                <span class="note">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function WatchItem({ watch }: { readonly watch: Watch }) {
  return (
    <li>
      <div>
        <a href={`/${watch.search}`}>{watch.name}</a> <span class="note">when {WHEN[watch.on]}</span>{' '}
        <StateText watch={watch} />
        <code>{alertQuery(watch.search)}</code>
      </div>
      <div class="actions">
        <button type="button" onClick={() => testNotice(watch)}>
          Test
        </button>
        <button type="button" onClick={() => saveWatch({ ...watch, paused: !watch.paused })}>
          {watch.paused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" aria-label={`Remove ${watch.name}`} onClick={() => removeWatch(watch.name)}>
          Remove
        </button>
      </div>
    </li>
  );
}

function StateText({ watch }: { readonly watch: Watch }) {
  const state = watchStates.value.get(watch.name);
  if (watch.paused) return <span class="badge warn">paused</span>;
  if (state === undefined) return <span class="note">another tab follows it, or it begins in a moment</span>;
  if (state.state === 'failed') return <span class="badge warn">not followed: {state.reason}</span>;
  return (
    <>
      <span class="badge">{state.state === 'streamed' ? 'live' : 'once per minute'}</span>{' '}
      <span class="note">
        {state.cutOff
          ? `the first ${formatCount(state.matching)} assets by ticker; the tier of your API key gives no more`
          : `${formatCount(state.matching)} match now`}
      </span>
    </>
  );
}

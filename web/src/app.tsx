// The page as a whole: the frame that stays, and within it the page that the address names.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { networkFailure } from './failure.ts';
import { keyIsMissing } from './key.ts';
import { numberForm } from './number-form.ts';
import { route } from './routes.ts';
import { ScreenerPage } from './screener/screener-page.tsx';
import { Header } from './shell/header.tsx';
import { KeyDialog, keyDialogOpen } from './shell/key-dialog.tsx';
import { Loading } from './shell/loading.tsx';
import { ProblemNotice } from './shell/problem-notice.tsx';
import { SimulatedNotice } from './shell/simulated-notice.tsx';

export function App() {
  const keyNeeded = keyIsMissing.value && route.value.page !== 'unknown';
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <SimulatedNotice />
      <main id="main" tabIndex={-1}>
        {/* Numbers are written anew when their form changes. */}
        {keyNeeded ? <KeyWanted /> : <Page key={String(numberForm.value)} />}
      </main>
      {(keyNeeded || keyDialogOpen.value) && <KeyDialog />}
    </>
  );
}

function Page() {
  const { value: at } = route;
  switch (at.page) {
    case 'screener':
      return <ScreenerPage search={at.search} />;
    case 'asset':
      return <AssetPage key={at.id} id={at.id} />;
    case 'unknown':
      return (
        <div class="message-page">
          <h1>There is no such page</h1>
          <p>
            The explorer has the <a href="/">screener</a> and a page per asset. The API is described in its{' '}
            <a href="/docs">reference</a>.
          </p>
        </div>
      );
  }
}

function KeyWanted() {
  return (
    <div class="message-page">
      <h1>This service requires an API key</h1>
      <p>The explorer sends your API key with every request. Its tier sets the rows per page.</p>
    </div>
  );
}

const RELOADED = 'tidemark-reloaded';

/** After an upgrade the file of the page has another name: a reload finds it. Once per minute, so that it never loops. */
function reloadedNow(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < 60_000) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return true;
}

/** The charts come with this page only, so that the screener opens without them. */
function AssetPage({ id }: { readonly id: string }) {
  const [component, setComponent] = useState<
    { Loaded: FunctionComponent<{ id: string }> } | 'failed' | 'reloading' | null
  >(null);
  useEffect(() => {
    import('./asset/asset-page.tsx').then(
      module => setComponent({ Loaded: module.default }),
      () => setComponent(reloadedNow() ? 'reloading' : 'failed'),
    );
  }, []);
  if (component === null || component === 'reloading') return <Loading what="the asset page" />;
  if (component === 'failed') return <ProblemNotice failure={networkFailure()} onRetry={() => location.reload()} />;
  return <component.Loaded id={id} />;
}

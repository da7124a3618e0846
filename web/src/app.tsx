// The page as a whole: the frame that stays, and within it the page that the address names.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { keyIsMissing } from './key.ts';
import { route } from './routes.ts';
import { ScreenerPage } from './screener/screener-page.tsx';
import { Header } from './shell/header.tsx';
import { KeyDialog, keyDialogOpen } from './shell/key-dialog.tsx';
import { Loading } from './shell/loading.tsx';
import { ProblemNotice } from './shell/problem-notice.tsx';
import { SimulatedNotice } from './shell/simulated-notice.tsx';

export function App() {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <SimulatedNotice />
      <main id="main" tabIndex={-1}>
        {keyIsMissing.value ? <KeyWanted /> : <Page />}
      </main>
      {(keyIsMissing.value || keyDialogOpen.value) && <KeyDialog />}
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
            The explorer has the <a href="/">screener</a> and a page for each asset.
          </p>
        </div>
      );
  }
}

function KeyWanted() {
  return (
    <div class="message-page">
      <h1>An API key opens the explorer</h1>
      <p>Every request of this page carries your key, and your key’s tier sets how many rows it gets.</p>
    </div>
  );
}

/** The charts come with this page only, so that the screener opens without them. */
function AssetPage({ id }: { readonly id: string }) {
  const [component, setComponent] = useState<{ Loaded: FunctionComponent<{ id: string }> } | 'failed' | null>(null);
  useEffect(() => {
    import('./asset/asset-page.tsx').then(
      module => setComponent({ Loaded: module.default }),
      () => setComponent('failed'),
    );
  }, []);
  if (component === null) return <Loading what="the asset page" />;
  if (component === 'failed') return <ProblemNotice failure={{ kind: 'network' }} onRetry={() => location.reload()} />;
  return <component.Loaded id={id} />;
}

// The page as a whole: the frame that stays, and within it the page that the address names.

import { keyIsMissing } from './key.ts';
import { numberForm } from './number-form.ts';
import { shownQuote } from './quote.ts';
import { route } from './routes.ts';
import { ScreenerPage } from './screener/screener-page.tsx';
import { Header } from './shell/header.tsx';
import { KeyDialog, keyDialogOpen } from './shell/key-dialog.tsx';
import { lazy } from './shell/lazy.tsx';
import { Loading } from './shell/loading.tsx';
import { SimulatedNotice } from './shell/simulated-notice.tsx';
import { timeForm } from './time-form.ts';

const AssetPage = lazy(() => import('./asset/asset-page.tsx'), <Loading what="the asset page" />);

const MapPage = lazy(() => import('./map/map-page.tsx'), <Loading what="the map" />);

const AlertsPage = lazy(() => import('./alerts/alerts-page.tsx'), <Loading what="the alerts" />);

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
        {/* Numbers and times are written anew when their form or the quote changes. */}
        {keyNeeded ? <KeyWanted /> : <Page key={`${String(numberForm.value)} ${timeForm.value} ${shownQuote.value}`} />}
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
    case 'map':
      return <MapPage search={at.search} />;
    case 'alerts':
      return <AlertsPage search={at.search} />;
    case 'asset':
      return <AssetPage key={at.id} id={at.id} />;
    case 'unknown':
      return (
        <div class="message-page">
          <h1>There is no such page</h1>
          <p>
            The explorer has the <a href="/">screener</a>, the <a href="/map">map</a>, the <a href="/alerts">alerts</a>{' '}
            and a page per asset. The API is described in its <a href="/docs">reference</a>.
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

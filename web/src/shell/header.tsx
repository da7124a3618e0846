// The bar at the top: links to the pages and the reference, the API key, how times and numbers are written, light or dark.

import { formatNumber } from '../format.ts';
import { forgetKey, key, keyIsOwn } from '../key.ts';
import { numberForm, toggleNumberForm } from '../number-form.ts';
import { pageConfig } from '../page-config.ts';
import { atSameTime, type Route, route, screenerAddress } from '../routes.ts';
import mark from '../tidemark.svg';
import { timeForm, toggleTimeForm } from '../time-form.ts';
import { unseen } from '../watches.ts';
import { greenRed, toggleDirectionColours } from './direction-colours.ts';
import { keyDialogOpen } from './key-dialog.tsx';
import { theme, toggleTheme } from './theme.ts';

export function Header() {
  const dark = theme.value === 'dark';
  const screen = screenerAddress.value.slice(1);
  return (
    <header class="top">
      <a class="brand" href="/">
        <img src={mark} alt="" width="22" height="22" />
        Tidemark
      </a>
      <nav aria-label="Main">
        <PageLink page="screener" href={atSameTime('/')}>
          Screener
        </PageLink>
        {/* With the screener's filters. */}
        <PageLink page="map" href={atSameTime(`/map${screen}`)}>
          Map
        </PageLink>
        <PageLink page="alerts" href={`/alerts${screen}`}>
          Alerts
          {unseen.value > 0 && route.value.page !== 'alerts' && <span class="badge">{unseen.value}</span>}
        </PageLink>
        <a href="/docs">API docs</a>
      </nav>
      <span class="spacer" />
      {!pageConfig.open && <KeyButton />}
      <TimesButton />
      <NumbersButton />
      <ColoursButton />
      <button
        type="button"
        class="quiet icon"
        onClick={toggleTheme}
        aria-label={dark ? 'Switch to light colours' : 'Switch to dark colours'}
        title={dark ? 'Light' : 'Dark'}
      >
        {dark ? <Sun /> : <Moon />}
      </button>
    </header>
  );
}

interface PageLinkProps {
  readonly page: Route['page'];
  readonly href: string;
  readonly children: preact.ComponentChildren;
}

function PageLink({ page, href, children }: PageLinkProps) {
  return (
    <a href={href} aria-current={route.value.page === page ? 'page' : undefined}>
      {children}
    </a>
  );
}

function TimesButton() {
  const local = timeForm.value === 'local';
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={local}
      aria-label={local ? 'Local times' : 'UTC: write local times'}
      title={local ? 'Write times in UTC' : 'Write times in the time zone of this browser'}
      onClick={toggleTimeForm}
    >
      {local ? 'Local' : 'UTC'}
    </button>
  );
}

function NumbersButton() {
  const plain = numberForm.value === 'plain';
  const text = formatNumber(1234);
  return (
    <button
      type="button"
      class="quiet number"
      aria-pressed={plain}
      aria-label={plain ? `${text}: plain numbers` : `${text}: write plain numbers`}
      title={plain ? 'Write numbers as in your language' : 'Write numbers plainly, for a program or a spreadsheet'}
      onClick={toggleNumberForm}
    >
      {text}
    </button>
  );
}

function ColoursButton() {
  return (
    <button
      type="button"
      class="quiet icon"
      aria-pressed={greenRed.value}
      aria-label="Green and red"
      title={greenRed.value ? 'Rises in blue, falls in orange' : 'Rises in green, falls in red'}
      onClick={toggleDirectionColours}
    >
      <span class="up" aria-hidden="true">
        ▲
      </span>
      <span class="down" aria-hidden="true">
        ▼
      </span>
    </button>
  );
}

function KeyButton() {
  const label = keyIsOwn.value ? 'Your API key' : key.value === null ? 'Enter API key' : 'Demo key';
  return (
    <>
      <button type="button" class="quiet" onClick={() => (keyDialogOpen.value = true)}>
        {label}
      </button>
      {keyIsOwn.value && (
        <button type="button" class="quiet" onClick={forgetKey}>
          Remove API key
        </button>
      )}
    </>
  );
}

function Sun() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="4.5" />
      <path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2" />
    </svg>
  );
}

function Moon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z" />
    </svg>
  );
}

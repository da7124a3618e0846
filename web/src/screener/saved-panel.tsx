// Saved screens and watchlists: open, save, remove, and move them to another browser as JSON.

import { useState } from 'preact/hooks';
import { saveFile } from '../csv-download.ts';
import {
  currentList,
  importSaved,
  removeSaved,
  type Saved,
  saved,
  savedJson,
  saveScreen,
  saveWatchlist,
} from './saved.ts';
import { defaultView, type View, viewAddress } from './view.ts';

export function SavedPanel({ view }: { readonly view: View }) {
  const { screens, watchlists } = saved.value;
  const [message, setMessage] = useState('');
  const starred = currentList().name;

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const count = importSaved(await file.text());
    setMessage(count === null ? 'This file has no saved screens.' : `${count} screens and watchlists read`);
  }

  return (
    <div class="saved-panel">
      <section>
        <h2>Screens</h2>
        <NameForm
          label="Name of this screen"
          action="Save screen"
          onName={name => saveScreen({ name, address: viewAddress(view, true) })}
        />
        <Entries
          kind="screens"
          entries={screens.map(({ name, address }) => ({ name, address }))}
          empty="No screens yet: set filters and columns, then save them under a name."
        />
      </section>
      <section>
        <h2>Watchlists</h2>
        <NameForm
          label="Name of a new watchlist"
          action="New watchlist"
          onName={name => saveWatchlist({ name, symbols: [] })}
        />
        <Entries
          kind="watchlists"
          entries={watchlists.map(({ name, symbols }) => ({
            name,
            note: `${symbols.length}${name === starred ? ' ★' : ''}`,
            address: symbols.length === 0 ? null : viewAddress({ ...defaultView(), symbols }),
          }))}
          empty="No watchlists yet: the star of a row adds its asset to one."
        />
      </section>
      <div class="actions">
        <button
          type="button"
          onClick={() => saveFile(new Blob([savedJson()], { type: 'application/json' }), 'tidemark-screens.json')}
        >
          Export as JSON
        </button>
        <label class="button">
          Import JSON
          <input
            class="visually-hidden"
            type="file"
            accept="application/json,.json"
            onChange={event => void read(event.currentTarget.files?.[0])}
          />
        </label>
        <span role="status" class="note">
          {message}
        </span>
      </div>
      <p class="note">They stay in this browser. A link from Share opens a screen anywhere.</p>
    </div>
  );
}

interface FormProps {
  readonly label: string;
  readonly action: string;
  readonly onName: (name: string) => void;
}

function NameForm({ label, action, onName }: FormProps) {
  const [name, setName] = useState('');
  return (
    <form
      class="name-form"
      onSubmit={event => {
        event.preventDefault();
        if (name.trim() === '') return;
        onName(name.trim());
        setName('');
      }}
    >
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        maxLength={60}
        value={name}
        onInput={event => setName(event.currentTarget.value)}
      />
      <button type="submit">{action}</button>
    </form>
  );
}

interface EntriesProps {
  readonly kind: keyof Saved;
  readonly entries: readonly { readonly name: string; readonly note?: string; readonly address: string | null }[];
  readonly empty: string;
}

function Entries({ kind, entries, empty }: EntriesProps) {
  if (entries.length === 0) return <p class="note">{empty}</p>;
  return (
    <ul class="saved-list">
      {entries.map(({ name, note, address }) => (
        <li key={name}>
          {address === null ? <span>{name}</span> : <a href={address}>{name}</a>} <span class="note">{note}</span>
          <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => removeSaved(kind, name)}>
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

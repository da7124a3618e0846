// Search by ticker or name: the table narrows while the user types, Enter opens the exact ticker or the top row.

import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Enter was pressed; the table may still be on its way to this query. */
  readonly onOpen: (query: string) => void;
}

/** Milliseconds after the last key. */
const PAUSE = 200;

/** Touch devices have no such key. */
const HAS_KEYBOARD = matchMedia('(hover: hover)').matches;

export function SearchBox({ query, onQuery, onOpen }: Props) {
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);

  // The query also changes from outside: a preset, a chip, the way back.
  const sent = useRef(query);
  useEffect(() => {
    if (query !== sent.current) setText(query);
    sent.current = query;
  }, [query]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      clearTimeout(timer.current);
    };
  }, []);

  function onInput(value: string): void {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = value.trim();
      onQuery(sent.current);
    }, PAUSE);
  }

  return (
    <search class="search">
      <form
        onSubmit={event => {
          event.preventDefault();
          clearTimeout(timer.current);
          onOpen(text.trim());
        }}
      >
        <label class="visually-hidden" for="search">
          Search by ticker or name
        </label>
        <input
          ref={input}
          id="search"
          type="search"
          autoComplete="off"
          spellcheck={false}
          placeholder={HAS_KEYBOARD ? 'Ticker or name   /' : 'Ticker or name'}
          title="Press / to search, Enter to open the exact ticker or the top row"
          value={text}
          onInput={event => onInput(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

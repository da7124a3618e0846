// The filter as an expression: a field with completion, applied after a pause, with errors marked at their place.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../../client/src/index.ts';
import { withPlainNumbers } from '../../../src/common/typed-number.ts';
import { type Completion, complete, type Vocabulary } from './completion.ts';

interface Props {
  readonly value: string;
  readonly vocabulary: Vocabulary;
  /** What the service says about `value`. */
  readonly problem: ApiError | null;
  /** The vocabulary is needed soon. */
  readonly onFocus: () => void;
  readonly onChange: (expression: string) => void;
}

/** Milliseconds after the last key. */
const PAUSE = 350;
const NONE: Completion = { from: 0, to: 0, suggestions: [] };

export function ExpressionBox({ value, vocabulary, problem, onFocus, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const [text, setText] = useState(value);
  const [completion, setCompletion] = useState(NONE);
  const [chosen, setChosen] = useState(-1);
  const [scrolled, setScrolled] = useState(0);
  const { suggestions } = completion;
  const open = suggestions.length > 0;
  // A word that is still being typed is not wrong yet.
  const error = problem !== null && plain(text) === value && !open ? problem : null;

  // The expression also changes from outside: a chip, a preset, the way back.
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function suggest(asked: boolean): void {
    const element = input.current!; // rendered below
    setCompletion(complete(element.value, element.selectionStart ?? 0, vocabulary, asked));
    setChosen(-1);
  }

  function change(next: string): void {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next), PAUSE);
  }

  function apply(next: string): void {
    clearTimeout(timer.current);
    sent.current = plain(next);
    onChange(sent.current);
  }

  function accept(index: number): void {
    const element = input.current!; // rendered below
    const { from, to } = completion;
    element.setRangeText(suggestions[index]!.text, from, to, 'end');
    setCompletion(NONE);
    change(element.value);
    element.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined || (key === ' ' && event.ctrlKey)) {
      event.preventDefault();
      if (!open) suggest(true);
      else setChosen((chosen + (step ?? 1) + suggestions.length) % suggestions.length);
    } else if (open && (key === 'Tab' || (key === 'Enter' && chosen >= 0))) {
      event.preventDefault();
      accept(Math.max(0, chosen));
    } else if (key === 'Enter') {
      setCompletion(NONE);
      apply(text);
    } else if (key === 'Escape' && open) {
      event.stopPropagation();
      setCompletion(NONE);
    }
  }

  return (
    <div class="expression">
      <label for="where">Filter</label>
      <div class="expression-field">
        <input
          ref={input}
          id="where"
          type="text"
          role="combobox"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          dir="ltr"
          placeholder="price > sma200 and vol30 < 60"
          title="An expression over columns. Ctrl+Space lists what may follow, Enter applies it."
          aria-expanded={open}
          aria-controls="where-suggestions"
          aria-autocomplete="list"
          aria-activedescendant={open && chosen >= 0 ? `suggestion-${chosen}` : undefined}
          aria-invalid={error !== null}
          aria-describedby={error ? 'where-error' : undefined}
          value={text}
          onInput={event => {
            change(event.currentTarget.value);
            suggest(false);
          }}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onScroll={event => setScrolled(event.currentTarget.scrollLeft)}
          onBlur={() => {
            setCompletion(NONE);
            if (plain(text) === value) setText(value);
          }}
        />
        {/* The place is one of the plain text, which the field shows once it is left. */}
        {error?.position !== undefined && text.trim() === value && (
          <Mark text={text} at={error.position} scrolled={scrolled} />
        )}
        <div id="where-suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden={!open}>
          {suggestions.map((suggestion, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys, as in every combobox
            <div
              key={suggestion.text}
              id={`suggestion-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              onPointerDown={event => event.preventDefault()}
              onClick={() => accept(i)}
            >
              <code>{suggestion.text}</code> <span>{suggestion.note}</span>
            </div>
          ))}
        </div>
      </div>
      {error && (
        <p id="where-error" class="field-error" role="alert">
          {error.detail} {briefHint(error)}
        </p>
      )}
    </div>
  );
}

/** A list of all columns would push the table away, and is one key away. */
function briefHint({ hint }: ApiError): string | undefined {
  return hint?.startsWith('Columns: ') ? 'Ctrl+Space lists the columns.' : hint;
}

/** What is applied: `10M` may be typed, but filters, links and programs have plain numbers. */
function plain(text: string): string {
  return withPlainNumbers(text.trim());
}

/** A wavy line below the wrong word. The font has one width for all characters, so a place is a number of them. */
function Mark({ text, at, scrolled }: { readonly text: string; readonly at: number; readonly scrolled: number }) {
  const length = Math.max(1, /^\w+|^\S?/.exec(text.slice(at))![0].length); // matches every text
  const style = { insetInlineStart: `calc(0.5rem + 1px + ${at}ch - ${scrolled}px)`, width: `${length}ch` };
  return <span class="mark" aria-hidden="true" dir="ltr" style={style} />;
}

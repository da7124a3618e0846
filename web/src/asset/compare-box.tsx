// Chooses the assets that the chart compares: a search field with suggestions, and a chip per chosen asset.

import { useEffect, useId, useState } from 'preact/hooks';
import { tidemark } from '../api.ts';
import { useRequest } from '../use-request.ts';
import { MOST_COMPARED } from './chart-state.ts';
import type { ComparedAsset } from './compare.ts';
import { Swatch } from './swatch.tsx';

interface CompareBoxProps {
  /** The asset of the page. */
  readonly id: string;
  /** Ids of those that it is compared with. */
  readonly vs: readonly string[];
  /** Those that are loaded, with their tickers. */
  readonly compared: readonly ComparedAsset[];
  readonly onChange: (vs: readonly string[]) => void;
}

const SUGGESTIONS = 6;
/** The types want a `list` with this role; the suggestions are the listbox below. */
const COMBOBOX = { role: 'combobox', list: undefined } as const;

export function CompareBox({ id, vs, compared, onChange }: CompareBoxProps) {
  const list = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const query = text.trim();
  const { value } = useRequest(query === '' ? null : query, async signal => {
    const limit = SUGGESTIONS + MOST_COMPARED + 1;
    return (await tidemark.assets({ q: query, limit }, { signal }).page()).result;
  });
  /** Enter was pressed before the suggestions were there. */
  const [isEntered, setIsEntered] = useState(false);
  const found = (value ?? []).filter(asset => asset.id !== id && !vs.includes(asset.id)).slice(0, SUGGESTIONS);
  const open = query !== '' && value !== null;

  const first = isEntered ? found[0]?.id : undefined;
  useEffect(() => {
    if (first !== undefined) add(first);
  }, [first]);

  function add(chosen: string): void {
    setText('');
    setIsEntered(false);
    onChange([...vs, chosen]);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && open && found[active] !== undefined) add(found[active].id);
    else if (event.key === 'Enter' && query !== '' && value === null) setIsEntered(true);
    else if (event.key === 'Escape' && query !== '') setText('');
    else return;
    event.preventDefault();
  }

  return (
    <fieldset class="compare">
      <legend>Compare</legend>
      {vs.map((other, i) => {
        const symbol = compared.find(asset => asset.id === other)?.symbol ?? other;
        return (
          <span key={other} class="chip">
            <Swatch colour={`--curve-${i + 2}`} /> {symbol}
            <button
              type="button"
              aria-label={`Remove ${symbol} from the comparison`}
              onClick={() => onChange(vs.filter(each => each !== other))}
            >
              ✕
            </button>
          </span>
        );
      })}
      {vs.length < MOST_COMPARED && (
        <span class="combobox">
          {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: COMBOBOX has the role */}
          <input
            type="text"
            {...COMBOBOX}
            aria-label="Add an asset to compare with"
            aria-expanded={open}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={open && found[active] ? `${list}-${active}` : undefined}
            autoComplete="off"
            placeholder="+ ticker or name"
            value={text}
            onInput={event => {
              setText(event.currentTarget.value);
              setActive(0);
              setIsEntered(false);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              setText('');
              setIsEntered(false);
            }}
          />
          <div id={list} class="listbox" role="listbox" aria-label="Assets" hidden={!open}>
            {found.map((asset, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                key={asset.id}
                id={`${list}-${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === active}
                // The field must not lose the focus before the click arrives.
                onPointerDown={event => event.preventDefault()}
                onClick={() => add(asset.id)}
              >
                <b>{asset.symbol}</b> {asset.name}
              </div>
            ))}
            {open && found.length === 0 && <div class="note">Nothing matches “{query}”</div>}
          </div>
        </span>
      )}
    </fieldset>
  );
}

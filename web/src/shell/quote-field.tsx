// The quote of all pages: dollars, a fiat currency of the store, or one of its largest assets.

import { useEffect, useRef } from 'preact/hooks';
import { quotes } from '../catalog.ts';
import { quoteOf } from '../quote.ts';

interface Props {
  readonly quote: string;
  readonly onQuote: (quote: string) => void;
}

/** Another quote makes the page anew, and the focus must not be lost with the old field. */
let isChosen = false;

export function QuoteField({ quote, onQuote }: Props) {
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isChosen) field.current?.focus({ preventScroll: true });
    isChosen = false;
  }, []);
  function choose(chosen: string): void {
    isChosen = true;
    onQuote(quoteOf(chosen));
  }
  const offered = quotes.value.map(each => ({ id: quoteOf(each.quote), name: each.name }));
  const isOffered = offered.some(({ id }) => id === quote);
  // The address can name any other asset.
  const shown = isOffered ? offered : [...offered, { id: quote, name: '' }];
  return (
    <div class="interval">
      <label for="quote">Quote</label>
      <select ref={field} id="quote" value={quote} onChange={event => choose(event.currentTarget.value)}>
        {shown.map(({ id, name }) => (
          <option key={id} value={id} title={name}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

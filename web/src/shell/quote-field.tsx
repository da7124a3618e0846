// The quote of all pages: dollars, a fiat currency of the store, or one of its largest assets.

import { quotes } from '../catalog.ts';
import { quoteOf } from '../quote.ts';

interface Props {
  readonly quote: string;
  readonly onQuote: (quote: string) => void;
}

export function QuoteField({ quote, onQuote }: Props) {
  const offered = quotes.value.map(each => ({ id: quoteOf(each.quote), name: each.name }));
  const isOffered = offered.some(({ id }) => id === quote);
  // The address can name any other asset.
  const shown = isOffered ? offered : [...offered, { id: quote, name: '' }];
  return (
    <div class="interval">
      <label for="quote">Quote</label>
      <select id="quote" value={quote} onChange={event => onQuote(quoteOf(event.currentTarget.value))}>
        {shown.map(({ id, name }) => (
          <option key={id} value={id} title={name}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

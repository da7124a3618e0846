// A form for a column that an expression computes, checked by the service before it is added.

import { useState } from 'preact/hooks';
import { ApiError } from '../../../client/src/index.ts';
import { withPlainNumbers } from '../../../src/common/typed-number.ts';
import { tidemark } from '../api.ts';
import { failureIn } from '../failure.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { describeFailure } from '../shell/describe-failure.ts';
import { settingsLine } from './settings-line.ts';
import { type Computed, MOST_COMPUTED, type View } from './view.ts';

interface Props {
  readonly view: View;
  readonly onChange: (changes: Partial<View>) => void;
}

export function ComputedForm({ view, onChange }: Props) {
  const { computed } = view;
  const [name, setName] = useState('');
  const [expression, setExpression] = useState('');
  const [mistake, setMistake] = useState('');

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const added: Computed = { name: name.trim(), expression: withPlainNumbers(expression.trim()) };
    setMistake(await mistakeIn([...computed, added]));
  }

  async function mistakeIn(next: readonly Computed[]): Promise<string> {
    const added = next.at(-1)!; // the form adds one
    const calc = next.map(each => `${each.name}:${each.expression}`);
    try {
      await tidemark.rows('ta-cur/stats', { calc, cols: added.name, limit: 1 }).page();
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) return withPlace(error, `${added.name}:`.length);
      const failure = failureIn(error);
      return failure === null ? '' : describeFailure(failure).title;
    }
    setName('');
    setExpression('');
    onChange({ computed: next, columns: [...view.columns, added.name] });
    return '';
  }

  return (
    <fieldset class="computed">
      <legend>Computed columns</legend>
      {computed.map(each => (
        <span key={each.name} class="chip">
          <span>
            {each.name} = <code>{each.expression}</code>
          </span>
          <button
            type="button"
            aria-label={`Remove the computed column ${each.name}`}
            onClick={() => onChange(without(view, each.name))}
          >
            ✕
          </button>
        </span>
      ))}
      {computed.map(each => (
        <LineForSettings key={each.name} {...each} />
      ))}
      {computed.length < MOST_COMPUTED && (
        <form onSubmit={event => void submit(event)} noValidate>
          <label>
            <span>Name</span>
            <input
              type="text"
              autoComplete="off"
              spellcheck={false}
              placeholder="score"
              value={name}
              onInput={event => setName(event.currentTarget.value)}
            />
          </label>
          <label class="wide">
            <span>Expression</span>
            <input
              type="text"
              autoComplete="off"
              spellcheck={false}
              dir="ltr"
              placeholder="change30 / vol30"
              value={expression}
              onInput={event => setExpression(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Add column</button>
        </form>
      )}
      <p class="field-error" role="alert">
        {mistake}
      </p>
    </fieldset>
  );
}

/** What was tried here can become a column of the service, for everyone. */
function LineForSettings({ name, expression }: Computed) {
  const found = settingsLine(name, expression);
  if ('unknown' in found) {
    return (
      <p class="note">
        {name} cannot become a column of the service: <code>{found.unknown}</code> is not computed from the bars of one
        asset alone.
      </p>
    );
  }
  const id = `settings-line-${name}`;
  return (
    <p class="note">
      For <code>columns</code> in the settings file: <code id={id}>{found.line}</code>{' '}
      <CopyButton text={found.line} from={id} />
    </p>
  );
}

/** The service counts from the start of `name:expression`, the user from the start of the expression. */
function withPlace({ detail, hint, position }: ApiError, offset: number): string {
  const place = position === undefined || position < offset ? '' : ` (character ${position - offset + 1})`;
  return `${detail}${place} ${hint ?? ''}`.trim();
}

/** Its column goes with it, and so does an order by it. */
function without(view: View, name: string): Partial<View> {
  return {
    computed: view.computed.filter(each => each.name !== name),
    columns: view.columns.filter(each => each !== name),
    ...(view.sort === name ? { sort: 'symbol', order: 'asc' as const } : {}),
  };
}

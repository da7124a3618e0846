// The API request behind what is shown, ready to copy, and the same rows as a CSV file.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Params, queryString } from '../api.ts';
import { fetchCsv, saveFile } from '../csv-download.ts';
import { type Failure, failureIn } from '../failure.ts';
import { formatCount } from '../format.ts';
import { key, keyIsPublic } from '../key.ts';
import { newestDay } from '../new-data.ts';
import { type SnippetKey, snippets } from '../snippets.ts';
import { describeFailure } from './describe-failure.ts';

interface Props {
  readonly path: string;
  readonly params: Params;
  /** Of the file, without its ending. */
  readonly fileName: string;
  /** A request that gave this one its tickers. */
  readonly before?: { readonly path: string; readonly params: Params } | undefined;
}

export function RequestPanel({ path, params, fileName, before }: Props) {
  const [chosen, setChosen] = useState('URL');
  const tabs = useRef<HTMLDivElement>(null);
  const all = snippets(location.origin + path + queryString(params), snippetKey());
  const shown = all.find(each => each.name === chosen) ?? all[0]!;

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = (all.indexOf(shown) + step + all.length) % all.length;
    setChosen(all[at]!.name);
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus();
  }

  return (
    <div class="request-panel">
      <div class="request-bar">
        <div ref={tabs} role="tablist" aria-label="Form of the request" onKeyDown={onKeyDown}>
          {all.map(({ name }) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === shown.name}
              aria-controls="request-text"
              tabIndex={name === shown.name ? 0 : -1}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={shown.text} />
        <CsvButton path={path} params={params} fileName={fileName} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without controls is itself a stop of the keyboard */}
      <pre id="request-text" role="tabpanel" aria-labelledby={`tab-${shown.name}`} tabIndex={0}>
        {shown.text}
      </pre>
      {before && (
        <p class="note">
          Its tickers come from <code>GET {before.path + queryString(before.params)}</code>
        </p>
      )}
      <p class="note">
        This request returns one page. Follow <code>next</code> in the response for the others; Download CSV fetches all
        pages.
      </p>
      {snippetKey() === 'environment' && (
        <p class="note">
          Your API key is not shown here: put it into the environment variable <code>TIDEMARK_KEY</code>.
        </p>
      )}
    </div>
  );
}

function snippetKey(): SnippetKey {
  if (key.value === null) return null;
  return keyIsPublic.value ? { literal: key.value } : 'environment';
}

function CopyButton({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => setSaid(''), [text]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      // A page that is served without TLS has no clipboard.
      const range = document.createRange();
      range.selectNodeContents(document.getElementById('request-text')!);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      setSaid('Selected: press Ctrl+C');
    }
  }

  return (
    <>
      <button type="button" class="primary" onClick={copy}>
        Copy
      </button>
      <span role="status" class="note">
        {said}
      </span>
    </>
  );
}

function CsvButton({ path, params, fileName }: Omit<Props, 'before'>) {
  const [running, setRunning] = useState(false);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);

  async function download(): Promise<void> {
    setRunning(true);
    setFailure(null);
    try {
      const file = await fetchCsv(path, params);
      saveFile(file.text, `${fileName}${newestDay.value === null ? '' : `-${newestDay.value}`}.csv`);
      const rows = `${formatCount(file.rows)} ${file.rows === 1 ? 'row' : 'rows'}`;
      setSaid(file.cutOff ? `The first ${rows}: your key’s tier gives no more in one download` : rows);
    } catch (error) {
      setFailure(failureIn(error));
    } finally {
      setRunning(false);
    }
  }

  return (
    <>
      <button type="button" onClick={download} disabled={running}>
        {running ? 'Fetching …' : 'Download CSV'}
      </button>
      <span role="status" class="note">
        {failure ? describeFailure(failure).title : said}
      </span>
    </>
  );
}

// The API request behind what is shown, ready to copy, and the same rows as a CSV file.

import { useRef, useState } from 'preact/hooks';
import { type Params, queryString, tidemark } from '../api.ts';
import { asShown } from '../csv-as-shown.ts';
import { fetchCsv, saveFile } from '../csv-download.ts';
import { type Failure, failureIn } from '../failure.ts';
import { formatCount } from '../format.ts';
import { key, keyIsPublic } from '../key.ts';
import { newestDay } from '../new-data.ts';
import { type SnippetKey, snippets } from '../snippets.ts';
import { CopyButton } from './copy-button.tsx';
import { describeFailure } from './describe-failure.ts';

interface Props {
  readonly path: string;
  readonly params: Params;
  /** Of the file; the interval, the quote and the day follow. */
  readonly fileName: string;
  /** The past day or time that is shown; null: the newest closes. */
  readonly asOf: string | null;
  /** Rows of all pages, where known. */
  readonly rows?: number | null | undefined;
  /** Rows per page that the tier of the API key gives. */
  readonly pageSize?: number | null | undefined;
  /** A dataset of `export/`, which comes as one Parquet file. */
  readonly parquet?: string | undefined;
  /** Columns of a table of many assets: a CSV file has them, after the day, the ticker and the name of each. */
  readonly columns?: readonly string[];
  /** A request that gave this one its tickers. */
  readonly before?: { readonly path: string; readonly params: Params } | undefined;
}

export function RequestPanel(props: Props) {
  const { path, params, rows = null, pageSize, parquet, before } = props;
  const [chosen, setChosen] = useState('URL');
  const tabs = useRef<HTMLDivElement>(null);
  const request = { origin: location.origin, path, params, rows, pageSize: pageSize ?? 100 };
  const all = snippets(request, snippetKey());
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
        <CopyButton text={shown.text} from="request-text" />
        <CsvButton {...props} />
        {parquet && <ParquetButton dataset={parquet} />}
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
        {shown.name === 'URL'
          ? 'This request returns one page. The programs in the other tabs, and Download CSV, fetch all pages.'
          : 'This program fetches the rows of all pages.'}
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

/** The whole dataset, whatever the filters: the service has one such file per publication. */
function ParquetButton({ dataset }: { readonly dataset: string }) {
  const [running, setRunning] = useState(false);
  const [message, setMessage] = useState('');

  async function download(): Promise<void> {
    setRunning(true);
    try {
      const file = await tidemark.request(`export/${dataset}.parquet`, {}, { read: response => response.blob() });
      saveFile(file, `tidemark-${dataset}${newestDay.value === null ? '' : `-${newestDay.value}`}.parquet`);
      setMessage('The whole listing, without filters');
    } catch (error) {
      const failure = failureIn(error);
      setMessage(failure === null ? '' : describeFailure(failure).title);
    } finally {
      setRunning(false);
    }
  }

  return (
    <>
      <button
        type="button"
        onClick={() => void download()}
        disabled={running}
        title="All assets and columns as one file"
      >
        {running ? 'Fetching …' : 'Download Parquet'}
      </button>
      <span role="status" class="note">
        {message}
      </span>
    </>
  );
}

/** Whatever the table shows, a file has the day of each close. */
function withDays(params: Params): Params {
  const excluded = String(params['excl_cols'] ?? '').split(',');
  return { ...params, excl_cols: excluded.filter(name => name !== 'datetimeUTC').join() || undefined };
}

/** Says what the file holds as far as its rows do not. */
function csvName({ fileName, params, asOf }: Props): string {
  const parts = [fileName, params['interval'], params['quote'], (asOf ?? newestDay.value)?.replaceAll(':', '')];
  return `${parts.filter(part => part !== undefined).join('-')}.csv`;
}

function CsvButton(props: Props) {
  const { path, params, columns, asOf } = props;
  const [running, setRunning] = useState(false);
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);

  async function download(): Promise<void> {
    setRunning(true);
    setFailure(null);
    try {
      const file = await fetchCsv(path, columns ? withDays(params) : params);
      const text = columns ? await asShown(file.text, { columns, asOf }) : file.text;
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), csvName(props));
      const rows = `${formatCount(file.rows)} ${file.rows === 1 ? 'row' : 'rows'}`;
      setMessage(file.cutOff ? `The first ${rows}: your key’s tier gives no more in one download` : rows);
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
        {failure ? describeFailure(failure).title : message}
      </span>
    </>
  );
}

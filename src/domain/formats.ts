// The formats in which rows are served: the value of `format`, the media type for `Accept`, and the file name extension.

export interface FormatFacts {
  readonly mediaType: string;
  readonly contentType: string;
  /** Of the file that a browser saves; null: the response is not a file. */
  readonly extension: string | null;
  readonly doc: string;
}

export const FORMATS = {
  json: {
    mediaType: 'application/json',
    contentType: 'application/json; charset=utf-8',
    extension: null,
    doc: 'The envelope with the rows as objects.',
  },
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    doc: 'RFC 4180 with a header row; null is the empty field. Paging is in the header `Link`.',
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    doc: 'One JSON object per line, without the envelope. Paging is in the header `Link`.',
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    contentType: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    doc: 'Arrow IPC stream: the same columns, binary; times are timestamps in UTC. With `meta=true` each field has its unit, description and formula. Paging is in the header `Link`.',
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[]; // the keys of a constant

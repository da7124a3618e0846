// The tables of hours and minutes, which stores of layout 13 and later have.

import { BLOCK_DAYS } from '../bars/blocks.ts';
import { grantsLike } from './grants-like.ts';
import { FINE_SERIES, SERIES, type SeriesLayout } from './series-layout.ts';

/** Of the tables of bars of every interval. */
export const BLOCK_COLUMNS = `asset integer NOT NULL,
    block integer NOT NULL,
    close double precision[] NOT NULL,
    open double precision[],
    high double precision[],
    low double precision[],
    volume double precision[],
    loads integer[],
    PRIMARY KEY (asset, block)`;

/** Of an interval finer than a day. */
function fineTables({ interval, blocks, coverage, replaced }: SeriesLayout): string {
  const since = `${interval === '1h' ? 'hours' : 'minutes'} since 1970-01-01T00:00Z`;
  return `
  CREATE TABLE ${coverage} (
    asset integer PRIMARY KEY,
    first_period integer NOT NULL,
    last_period integer NOT NULL,
    bars integer NOT NULL,
    published_first integer,
    published_last integer
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE ${coverage} IS 'What ${blocks.slice('tidemark.'.length)} has of each asset; one row per asset that has or had such bars';
  COMMENT ON COLUMN ${coverage}.first_period IS 'The oldest bar, in ${since}; without bars it means nothing';
  COMMENT ON COLUMN ${coverage}.last_period IS 'The newest bar, in ${since}';
  COMMENT ON COLUMN ${coverage}.published_first IS 'The oldest bar when the asset was published last; NULL if it had none';
  COMMENT ON COLUMN ${coverage}.published_last IS 'The newest bar when the asset was published last';

  CREATE TABLE ${blocks} (
    ${BLOCK_COLUMNS}
  );
  COMMENT ON TABLE ${blocks} IS 'Bars of ${interval}, ${BLOCK_DAYS} of one asset per row';
  COMMENT ON COLUMN ${blocks}.block IS 'Element i of the arrays belongs to the period ${BLOCK_DAYS} * block + i - 1, in ${since}';
  COMMENT ON COLUMN ${blocks}.close IS 'NULL in periods without a bar';
  COMMENT ON COLUMN ${blocks}.loads IS 'As in bar_blocks';

  CREATE TABLE ${replaced} (
    asset integer NOT NULL,
    period integer NOT NULL,
    close double precision,
    PRIMARY KEY (asset, period)
  );
  COMMENT ON TABLE ${replaced} IS 'As replaced_closes';
`;
}

export const FINE_TABLES = `
  ${FINE_SERIES.map(fineTables).join('')}
  CREATE TABLE tidemark.dropped_bars (
    interval text COLLATE "C" PRIMARY KEY,
    before integer NOT NULL
  );
  COMMENT ON TABLE tidemark.dropped_bars IS 'Of each interval whose old bars were dropped, the first period whose bars were kept';
`;

/** Whoever may use the tables of days may use those of finer intervals. */
export const FINE_GRANTS = grantsLike([
  ...FINE_SERIES.flatMap(({ coverage, blocks, replaced }) => [
    [SERIES['1d'].coverage, coverage] as const,
    [SERIES['1d'].blocks, blocks] as const,
    [SERIES['1d'].replaced, replaced] as const,
  ]),
  [SERIES['1d'].blocks, 'tidemark.dropped_bars'],
]);

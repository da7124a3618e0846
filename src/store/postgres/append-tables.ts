// The tables with which a new period of many assets is stored and noticed quickly, which stores of layout 15 and later have.

import { grantsLike } from './grants-like.ts';

export const APPEND_TABLES = `
  CREATE TABLE tidemark.rewritten (
    asset integer NOT NULL,
    interval text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    first_period integer NOT NULL,
    PRIMARY KEY (asset, interval)
  );
  COMMENT ON TABLE tidemark.rewritten IS
    'Assets of which a publication has changed bars older than the newest one: what was computed from these is read again';
  COMMENT ON COLUMN tidemark.rewritten.version IS 'The last publication that did so';
  COMMENT ON COLUMN tidemark.rewritten.first_period IS 'The oldest bar that one of them has changed, in periods of the interval';
`;

/** A server that publishes columns writes it, as it writes the list of servers. */
export const APPEND_GRANTS = grantsLike([['tidemark.servers', 'tidemark.rewritten']]);

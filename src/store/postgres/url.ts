// What the URL of a PostgreSQL store says: its hosts, and how to connect to each of them.

import { readFileSync } from 'node:fs';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import pg from 'pg';
import { nearest } from '../../common/nearest.ts';
import { StoreError } from '../port/store.ts';

/** How to connect to one host. */
export interface HostConfig {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly client: pg.ClientConfig;
  readonly tls: Tls;
}

export interface Tls {
  /** Null: connections are not encrypted. */
  readonly options: ConnectionOptions | null;
  /** Whether to go on without encryption if the host does not encrypt. */
  readonly isOptional: boolean;
}

/** As libpq has them, and so `psql`, apart from `allow`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Read here. */
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
/** Read by the driver. */
const OTHER_PARAMETERS = ['application_name', 'host', 'options', 'port', 'target_session_attrs'];
const PARAMETERS: readonly string[] = [...TLS_PARAMETERS, ...OTHER_PARAMETERS].sort();

/** One URL for each host of `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`. */
export function urlsOfHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const names = hosts.split(',');
  if (names.length === 1) return [url];
  if (names.includes('')) throw badUrl(new Error('a host of the list is empty'));
  // Which of them may be written is found out by asking.
  const rest = after.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return names.map(host => `${before}${host}${rest}`);
}

/** Of a URL with one host. */
export function hostConfig(url: string): HostConfig {
  const [address = '', query = ''] = url.split('?', 2);
  const given = new URLSearchParams(query);
  for (const name of given.keys()) if (!PARAMETERS.includes(name)) throw unknownParameter(name);
  // The driver would read these in a way of its own.
  const rest = new URLSearchParams([...given].filter(([name]) => OTHER_PARAMETERS.includes(name)));
  const connectionString = rest.size === 0 ? address : `${address}?${rest}`;
  const { host, port, user = '', database = '' } = parsed(connectionString);
  // Like psql: a connection inside the machine needs no encryption.
  const tls = host.startsWith('/') ? { options: null, isOptional: false } : tlsOf(given);
  return { host, port, user, database, client: { connectionString }, tls };
}

function tlsOf(given: URLSearchParams): Tls {
  const mode = given.get('sslmode') ?? (given.get('sslrootcert') === 'system' ? 'verify-full' : 'prefer');
  if (!isSslMode(mode)) {
    throw wrongParameter(`sslmode=${mode} is not a mode`, `write one of ${SSL_MODES.join(', ')}`);
  }
  if (mode === 'disable') return { options: null, isOptional: false };
  const root = given.get('sslrootcert');
  if (mode === 'prefer' && root !== null) {
    // Whoever names an authority wants it checked, which this mode does not do.
    throw wrongParameter('sslmode=prefer does not check the authority in sslrootcert', 'add sslmode=verify-full');
  }
  if (mode === 'verify-ca' && (root === null || root === 'system')) {
    // Everyone can have a certificate of a public authority.
    throw wrongParameter(
      'sslmode=verify-ca needs sslrootcert=FILE',
      'name the authority, or write sslmode=verify-full',
    );
  }
  // With an authority that is named, libpq checks what it signed.
  const checksSignature = mode.startsWith('verify') || (mode === 'require' && root !== null);
  const options: ConnectionOptions = { rejectUnauthorized: checksSignature };
  if (checksSignature) options.ca = root === null || root === 'system' ? authorities() : fileOf('sslrootcert', root);
  if (checksSignature && mode !== 'verify-full') options.checkServerIdentity = () => undefined;
  const [cert, key] = [given.get('sslcert'), given.get('sslkey')];
  if (cert !== null) options.cert = fileOf('sslcert', cert);
  if (key !== null) options.key = fileOf('sslkey', key);
  return { options, isOptional: mode === 'prefer' };
}

/** Those of the operating system, and those that Node.js brings. */
function authorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function isSslMode(text: string): text is SslMode {
  return SSL_MODES.some(mode => mode === text);
}

function fileOf(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw wrongParameter(`the file ${path} of ${parameter} cannot be read (${reason})`, 'name a file that can be read');
  }
}

/** As the driver reads it. */
function parsed(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, ssl: false });
  } catch (error) {
    throw badUrl(error);
  }
}

function unknownParameter(name: string): StoreError {
  const meant = nearest(name, PARAMETERS);
  const hint = meant === null ? `remove it; known are ${PARAMETERS.join(', ')}` : `did you mean ${meant}?`;
  return wrongParameter(`the parameter ${JSON.stringify(name)} is unknown`, hint);
}

function wrongParameter(what: string, hint: string): StoreError {
  return new StoreError('bad_url', `the URL of the PostgreSQL store: ${what}`, hint);
}

function badUrl(cause: unknown): StoreError {
  const form =
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE, several as HOST:PORT,HOST:PORT; characters such as @ and / in a ' +
    'password as %40 and %2F';
  return new StoreError('bad_url', 'the URL of the PostgreSQL store cannot be read', form, { cause });
}

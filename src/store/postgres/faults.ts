// Errors of PostgreSQL and of the connection to it, with what to do about them.

import { MissingBars } from '../bars/blocks.ts';
import { StoreError } from '../port/store.ts';

/** The error as a StoreError where a person can do something about it, otherwise itself. */
export function postgresFault(error: unknown, where: string): unknown {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof MissingBars) return missingBars(where, reason, error);
  if (code === 'NOT_POSTGRES') {
    return fault(
      'unreachable',
      `what answers at ${where} is not PostgreSQL (${reason})`,
      'check the host and the port in the URL; PostgreSQL usually has the port 5432',
    );
  }
  if (code === 'NO_TLS') {
    return fault(
      'unreachable',
      `${where} does not encrypt (${reason})`,
      'set up TLS on the server, or write sslmode=disable',
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return fault(
      'unreachable',
      `${where} has a certificate of another host (${reason})`,
      'write the host in the URL as the certificate names it, or sslmode=verify-ca with sslrootcert=FILE',
    );
  }
  // As OpenSSL and Node.js name what is wrong with a certificate.
  if (/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS)/.test(code)) {
    return fault(
      'unreachable',
      // Without the advice of Node.js to trust the authorities of the system, which are trusted already.
      `${where} has a certificate that is not trusted (${reason.replace(/; if the root CA .*$/, '')})`,
      'name the authority that signed it with sslrootcert=FILE in the URL',
    );
  }
  // Names of network errors by the system; SQLSTATE classes by PostgreSQL (its manual, appendix A).
  if (/^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE|ENOENT)/.test(code)) {
    return fault(
      'unreachable',
      `${where} does not answer (${reason})`,
      'check that the server runs, its host and its port',
    );
  }
  if (code === '28000' && /pg_hba/.test(reason)) {
    return fault(
      'unreachable',
      `${where} refuses the connection (${reason})`,
      "add a line for this user, database and address to the server's pg_hba.conf; sslmode=require encrypts the connection",
    );
  }
  if (/^28/.test(code)) {
    return fault('unreachable', `${where} refuses the login (${reason})`, 'check the user and the password');
  }
  if (code === '3D000') {
    return fault('unreachable', `${where}: ${reason}`, 'create the database, or name another one in the URL');
  }
  // The message of Citus names the worker. Errors of our own connection have names of the operating system.
  if (/^08(?!P01)/.test(code) && /\bnode\b/.test(reason)) {
    return fault(
      'node_unreachable',
      `${where} cannot reach one of its nodes (${reason})`,
      'start that node again; what the other nodes hold is served meanwhile',
    );
  }
  // PgBouncer uses this class for all its own errors.
  if (/^08/.test(code)) {
    return fault(
      'unreachable',
      `${where} ended the connection (${reason})`,
      'check what is at that address: a connection pooler has a log of its own',
    );
  }
  if (code === '53300') {
    return fault(
      'unreachable',
      `${where} accepts no more connections (${reason})`,
      'raise the limit of the role or of the server; docs/how-to/postgres.md says how many a server opens',
    );
  }
  if (/^57P/.test(code)) {
    return fault('unreachable', `${where} is not available (${reason})`, 'try again when the server is back');
  }
  if (code === '42P01' || code === '3F000') {
    return fault(
      'missing',
      `${where} has no tables of Tidemark any more`,
      "'tidemark restore' or a load fills it again",
    );
  }
  if (code === '53100')
    return fault('full', `no space is left for ${where}`, 'free some space on the disk of the server');
  if (code === '25006')
    return fault('read_only', `${where} cannot be written`, 'name the primary server, not a replica');
  if (code === '42501') {
    return fault(
      'forbidden',
      `${where}: ${reason}`,
      'use the role that owns the tables, or grant the rights that docs/how-to/postgres.md lists for each role',
    );
  }
  if (/^XX00[12]$/.test(code)) {
    return fault(
      'corrupt',
      `${where} is damaged (${reason})`,
      'restore a backup, or load the data again into a new store',
    );
  }
  return error;

  function fault(kind: ConstructorParameters<typeof StoreError>[0], message: string, hint: string): StoreError {
    return new StoreError(kind, message, hint, { cause: error });
  }
}

/** The tables contradict one another: something else than Tidemark has changed them, or a disk has. */
export function missingBars(where: string, what: string, cause?: Error): StoreError {
  return new StoreError(
    'checksum_mismatch',
    `${where} is damaged (${what})`,
    'restore a backup, or load the data again into a new store',
    { cause },
  );
}

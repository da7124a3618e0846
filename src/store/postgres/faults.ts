// What PostgreSQL and the way to it report, told to a person.

import { StoreError } from '../store.ts';

/** The error as a StoreError where a person can do something about it, otherwise itself. */
export function postgresFault(error: unknown, where: string): unknown {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const told = error instanceof Error ? error.message : String(error);
  if (code === 'NOT_POSTGRES') {
    return fault(
      'unreachable',
      `what answers at ${where} is not PostgreSQL (${told})`,
      'check the host and the port in the URL; PostgreSQL usually has the port 5432',
    );
  }
  if (code === 'NO_TLS') {
    return fault(
      'unreachable',
      `${where} does not encrypt (${told})`,
      'set up TLS on the server, or write sslmode=disable',
    );
  }
  // As OpenSSL and Node.js name what is wrong with a certificate.
  if (/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ERR_TLS)/.test(code)) {
    return fault(
      'unreachable',
      `${where} has a certificate that is not trusted (${told})`,
      'name the authority that signed it with sslrootcert=FILE in the URL',
    );
  }
  // Names of network errors by the system; SQLSTATE classes by PostgreSQL (its manual, appendix A).
  if (/^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE|ENOENT)/.test(code)) {
    return fault(
      'unreachable',
      `${where} does not answer (${told})`,
      'check that the server runs, its host and its port',
    );
  }
  if (/^28/.test(code)) return fault('unreachable', `${where} refuses the login`, 'check the user and the password');
  if (code === '3D000') {
    return fault('unreachable', `${where}: ${told}`, 'create the database, or name another one in the URL');
  }
  // The server itself says so of another one. What happens to a connection of ours has a name of the system's.
  if (/^08/.test(code)) {
    return fault(
      'node_unreachable',
      `${where} cannot reach one of its nodes (${told})`,
      'start that node again; what the other nodes hold is served meanwhile',
    );
  }
  if (/^(57P|53300)/.test(code)) {
    return fault('unreachable', `${where} is not available (${told})`, 'try again when the server is back');
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
    return fault('read_only', `${where}: ${told}`, 'give the user the right to create and write the schema tidemark');
  }
  if (/^XX00[12]$/.test(code)) {
    return fault(
      'corrupt',
      `${where} is damaged (${told})`,
      'restore a backup, or load the data again into a new store',
    );
  }
  return error;

  function fault(kind: ConstructorParameters<typeof StoreError>[0], message: string, hint: string): StoreError {
    return new StoreError(kind, message, hint, { cause: error });
  }
}

// Keeps web pages from calling a service that they should not reach.
//
// A browser sends `Origin` with every POST of a page. A page may also reach a service on a local network under the page's own name, if
// that name resolves to the address of the service (DNS rebinding); the name is then in `Host`.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ApiError } from '../../errors.ts';
import { baseUrl, localAddress, type PublicAddress } from '../wire/base-url.ts';

/** Throws unless the request comes from a program, from a page of the service itself, or on one machine from a local page. */
export function refuseForeign(context: PublicAddress, { headers, socket }: IncomingMessage): void {
  const { origin, host } = headers;
  const isLocal = isLoopback(socket.localAddress);
  const named = hostName(host);
  // A proxy in front of the service decides by itself which names it forwards.
  const knownHost =
    named === null ||
    isIP(named) !== 0 ||
    named === 'localhost' ||
    context.trustProxy !== null ||
    isPublic(context, named);
  if (!knownHost && (isLocal || origin !== undefined)) {
    throw foreign(`The service is not known as ${named}.`, 'Use its address, or set --public-url.');
  }
  if (origin === undefined) return;
  const page = URL.parse(origin);
  const own = baseUrl(context, headers, () => localAddress(socket));
  if (page !== null && page.origin === URL.parse(own)?.origin) return;
  if (page !== null && isLocal && isLoopback(nameIn(page))) return;
  throw foreign(
    'Pages of another origin may not call this path.',
    'Call it from a program, or from a page of the service.',
  );
}

function isPublic({ publicUrl }: PublicAddress, name: string): boolean {
  const url = URL.parse(publicUrl ?? '');
  return url !== null && nameIn(url) === name;
}

function hostName(host: string | undefined): string | null {
  if (host === undefined) return null;
  const url = URL.parse(`http://${host}`);
  return url === null ? host : nameIn(url);
}

/** Without the brackets of an IPv6 address. */
function nameIn({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isLoopback(name: string | undefined): boolean {
  const plain = name?.replace(/^::ffff:/, '') ?? '';
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

function foreign(detail: string, hint: string): ApiError {
  return new ApiError('foreign_origin', detail, { hint });
}

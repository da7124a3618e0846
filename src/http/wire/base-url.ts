// The base URL that the client used, for absolute links.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { forwardedOrigin, type TrustedProxy } from './trusted-proxy.ts';

/** What is known of the address of the service. */
export interface PublicAddress {
  /** Without a trailing slash; null: from the request. */
  readonly publicUrl: string | null;
  /** The proxies whose forwarding headers are believed; null: none. */
  readonly trustProxy: TrustedProxy | null;
}

/** Underscores occur in host names of containers. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `http(s)://HOST[:PORT]`, without a trailing slash. */
export function baseUrl(
  { publicUrl, trustProxy }: PublicAddress,
  headers: IncomingHttpHeaders,
  fallbackHost: () => string,
): string {
  if (publicUrl !== null) return publicUrl;
  const forwarded = forwardedOrigin(trustProxy, headers);
  const host = [forwarded.host, headers.host].find(name => name !== undefined && HOST.test(name)) ?? fallbackHost();
  return `${forwarded.proto === 'https' ? 'https' : 'http'}://${host}`;
}

/** For a request whose `Host` is missing (HTTP/1.0) or invalid: the address where it arrived. */
export function localAddress({ localAddress: address = '127.0.0.1', localPort }: Socket): string {
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

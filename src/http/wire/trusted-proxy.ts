// What a trusted proxy says about a request: the client's address, and the protocol and host that the client used.
//
// Every proxy adds one element to the end of a header, so elements are counted from the right: with one trusted hop the last
// element counts, with two the one before it. Everything further left may have been written by the client.

import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** `forwarded` is RFC 7239; `x-forwarded` is `X-Forwarded-For`, `-Proto` and `-Host`. The other kind is ignored. */
export interface TrustedProxy {
  readonly kind: 'forwarded' | 'x-forwarded';
  /** Proxies between the client and this server, each of which adds or sets the headers. */
  readonly hops: number;
}

/** `x-forwarded:1`; null for anything else. */
export function parseTrustedProxy(text: string): TrustedProxy | null {
  const [, kind, hops] = /^(forwarded|x-forwarded):([1-9])$/.exec(text) ?? [];
  return kind === 'forwarded' || kind === 'x-forwarded' ? { kind, hops: Number(hops) } : null;
}

export interface ForwardedOrigin {
  readonly proto?: string | undefined;
  readonly host?: string | undefined;
}

const NOTHING: ForwardedOrigin = {};

/** The protocol and the host that the client used, as far as the proxy names them. */
export function forwardedOrigin(proxy: TrustedProxy | null, headers: IncomingHttpHeaders): ForwardedOrigin {
  if (proxy === null) return NOTHING;
  if (proxy.kind === 'forwarded') {
    const element = forwardedElement(headers, proxy.hops);
    return { proto: element?.get('proto')?.toLowerCase(), host: element?.get('host') };
  }
  // Most proxies set these instead of adding to them, so a shorter list is complete: its first element is the outermost proxy's.
  const outermost = (header: string | string[] | undefined) => {
    const elements = elementsOf(header);
    return elements.at(-proxy.hops) ?? elements[0];
  };
  return {
    proto: outermost(headers['x-forwarded-proto'])?.toLowerCase(),
    host: outermost(headers['x-forwarded-host']),
  };
}

/**
 * The client's address: the one that the outermost trusted proxy names. A request that did not pass through all of the proxies, or
 * for which they name no IP address, has the address at the other end of the connection.
 */
export function clientAddress(
  { trustProxy: proxy }: { readonly trustProxy: TrustedProxy | null },
  headers: IncomingHttpHeaders,
  remote: string | undefined,
): string {
  if (proxy === null) return remote ?? 'unknown';
  const named =
    proxy.kind === 'forwarded'
      ? forwardedElement(headers, proxy.hops)?.get('for')
      : elementsOf(headers['x-forwarded-for']).at(-proxy.hops);
  return ipAddress(named) ?? remote ?? 'unknown';
}

/** Without the port that some proxies add, which differs between connections: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function ipAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [, ipv6, ipv4] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = ipv6 ?? ipv4 ?? text;
  return isIP(address) === 0 ? null : address;
}

function elementsOf(header: string | string[] | undefined): string[] {
  const text = header?.toString() ?? '';
  return text === '' ? [] : text.split(',').map(element => element.trim());
}

const PAIR = /^\s*([\w-]+)=(?:([\w!#$%&'*+.^`|~:[\]-]+)|"((?:[^"\\]|\\.)*)")\s*$/;

/**
 * One element of `Forwarded`; null when there are fewer, or when it is not well-formed. Commas split also inside quotes: what proxies
 * write holds none, and a client that opens a quote must not swallow the elements that follow.
 */
function forwardedElement({ forwarded }: IncomingHttpHeaders, fromRight: number): Map<string, string> | null {
  const pairs = elementsOf(forwarded)
    .at(-fromRight)
    ?.split(';')
    .map(pair => PAIR.exec(pair));
  if (pairs === undefined || pairs.includes(null)) return null;
  return new Map(pairs.map(pair => [pair![1]!.toLowerCase(), pair![2] ?? pair![3]!.replace(/\\(.)/g, '$1')]));
}

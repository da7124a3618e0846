// The profile of an asset as the API gives it, and what of it a page can show.

import type { Link, Profile } from '../../../client/src/index.ts';

export type { Link, Profile };

export interface LinkGroup {
  readonly type: string;
  readonly links: readonly Link[];
}

/** Every link once, those with statistics before their bare twins, gathered by type; websites first, then by name. */
export function linkGroups(profile: Profile): LinkGroup[] {
  const bare = Object.entries(profile.links).flatMap(([type, urls]) => urls.map(url => ({ url, type })));
  const paper = profile.whitepaper.link === null ? [] : [{ url: profile.whitepaper.link, type: 'whitepaper' }];
  const byUrl = new Map<string, Link>();
  for (const link of [...profile.links_extended, ...bare, ...paper]) {
    if (!byUrl.has(link.url)) byUrl.set(link.url, link);
  }
  const groups = Map.groupBy(byUrl.values(), link => link.type);
  const order = (type: string) => `${type === 'website' ? 0 : 1}${type}`;
  return [...groups].map(([type, links]) => ({ type, links })).sort((a, b) => (order(a.type) < order(b.type) ? -1 : 1));
}

/** A source can deliver anything as a link; only what opens a web page becomes one. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** `code.example/aldermoor/node`: an address without what every address has. */
export function shortAddress(url: string): string {
  if (!isWebAddress(url)) return url;
  const { host, pathname, search } = new URL(url);
  return host.replace(/^www\./, '') + (pathname === '/' ? '' : pathname.replace(/\/$/, '')) + search;
}

/** `source_code` as words: `Source code`. */
export function asWords(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What the sources know; what they don't know is not listed. */
export function factsOf(profile: Profile): Fact[] {
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    ['Type', profile.type === null ? null : asWords(profile.type)],
    ['Status', profile.development_status],
    ['Work began', day(profile.started_at)],
    ['First price', day(profile.first_data_at)],
    ['Consensus', profile.proof_type],
    ['Hash algorithm', profile.hash_algorithm],
    ['Organisation', profile.org_structure],
    ['Open source', yesNo(profile.open_source)],
    ['Hardware wallet', yesNo(profile.hardware_wallet)],
    ['Id', profile.id],
  ];
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]));
}

/** Whether a source has described the asset at all, beyond what its prices tell. */
export function isDescribed(profile: Profile): boolean {
  const { description, tags, team, proof_type: proof, started_at: start } = profile;
  return Boolean(description || tags.length || team.length || proof || start || linkGroups(profile).length);
}

function day(time: string | null): string | null {
  return time === null ? null : time.slice(0, 10);
}

function yesNo(flag: boolean | null): string | null {
  return flag === null ? null : flag ? 'Yes' : 'No';
}

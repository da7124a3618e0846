// The links of a simulated asset. Every host ends in `.example`, which is reserved for documentation: no click can reach
// a real site.

import type { Link, LinkStats, Links, Profile } from '../../domain/profile.ts';
import type { Facts } from './facts.ts';
import { hostOf } from './names.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';

/** Ordered by type, as vendors deliver them. */
export function linksOf(asset: DemoAsset, facts: Facts): Link[] {
  const random = new Random(hash(asset.seed, 4));
  const casual = asset.sector.id === 'memes';
  const { host } = asset;
  const popular = facts.size > 1e9;
  const audience = Math.sqrt(facts.size);
  const links: Link[] = [];
  const add = (probability: number, type: string, url: string, stats?: LinkStats): void => {
    if (random.chance(popular ? probability + 0.3 : probability))
      links.push(stats === undefined ? { url, type } : { url, type, stats });
  };
  const people = (least: number, most: number): number => Math.round(audience * random.between(least, most));

  add(0.3, 'announcement', `https://news.example/${host}`);
  add(casual ? 0.1 : 0.6, 'blog', `https://blog.${host}.example/`);
  add(0.4, 'chat', `https://chat.example/${host}`);
  add(casual ? 0.5 : 0.95, 'explorer', explorer(asset, facts));
  add(0.35, 'facebook', `https://friends.example/${host}`);
  add(0.6, 'reddit', `https://boards.example/b/${host}`, { subscribers: people(0.1, 2) });
  if (facts.openSource) {
    const stats = { contributors: Math.ceil(people(0.0005, 0.002)), stars: people(0.01, 0.08) };
    add(1, 'source_code', `https://code.example/${host}/${asset.coin ? 'node' : 'contracts'}`, stats);
    if (asset.coin) add(0.3, 'source_code', `https://code.example/${host}/wallet`);
  }
  add(0.7, 'telegram', `https://messages.example/${host}`, { members: people(0.1, 1.5) });
  add(0.9, 'twitter', `https://short.example/${host}`, { followers: people(0.4, 4) });
  if (asset.coin) add(0.7, 'wallet', `https://wallet.${host}.example/`);
  add(0.97, 'website', `https://${host}.example/`);
  add(0.3, 'youtube', `https://videos.example/${host}`);
  return links;
}

/** The links of the six types that the record names, grouped. */
export function grouped(links: readonly Link[]): Links {
  const urls = (type: string) => links.filter(link => link.type === type).map(link => link.url);
  return {
    explorer: urls('explorer'),
    facebook: urls('facebook'),
    reddit: urls('reddit'),
    source_code: urls('source_code'),
    website: urls('website'),
    youtube: urls('youtube'),
  };
}

export function whitepaperOf(asset: DemoAsset): Profile['whitepaper'] {
  const random = new Random(hash(asset.seed, 5));
  if (!random.chance(asset.sector.id === 'memes' ? 0.15 : 0.8)) return { link: null, thumbnail: null };
  const link = `https://${asset.host}.example/whitepaper.pdf`;
  return { link, thumbnail: random.chance(0.7) ? `https://${asset.host}.example/whitepaper.png` : null };
}

function explorer(asset: DemoAsset, { security }: Facts): string {
  if (security.kind !== 'token') return `https://explorer.${asset.host}.example/`;
  return `https://explorer.${hostOf(security.network.name)}.example/token/${asset.host}`;
}

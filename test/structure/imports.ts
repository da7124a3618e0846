// The direction of imports between the folders of src/, web/src/ and client/, and the search for cycles.

import { dirname, join, normalize } from 'node:path';

/** The pipeline, in the order in which data flows: a stage may import from the stages before it. */
const STAGES = [
  'indicators',
  'quality',
  'store',
  'publish',
  'ingest',
  'snapshot',
  'history',
  'query',
  'explain',
  'render',
  'alerts',
  'export',
  'mcp',
  'access',
  'http',
  'stream',
  'api',
  'serve',
];
/** Stages that may import from these alone: the transport knows no data. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  http: ['access', 'common', 'errors.ts', 'observe', 'domain/api-key.ts', 'domain/tiers.ts', 'domain/day.ts'],
};
/** The sub-folders of some stages, in the same sense. `.`: the other files of the stage itself, of which some have a place of their own. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  http: ['wire', 'observe', 'protection', 'authentication', '.'],
  store: ['port', 'bars', 'records', 'sqlite', 'postgres', 'backup', '.'],
  snapshot: ['.', 'columns', 'indexes', 'build'],
  query: ['.', 'expression', 'parse', 'execute', 'statistics'],
  api: ['.', 'openapi', 'listing', 'endpoints', 'compat', 'endpoints.ts', 'service.ts'],
};
/** What every stage may import; they import nothing but each other's leaves. */
const SHARED = ['common', 'domain', 'errors.ts', 'config.ts', 'observe'];
/** Only these wire stages together. */
const WIRING = ['cli', 'main.ts'];

/** The path of every module below its root folder, each with the paths of the modules that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

/** The relative imports of a source text, as paths below the same root folder; `..` leads out of it. */
export function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .map(match => match[1] ?? match[2] ?? '')
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => normalize(join(dirname(path), specifier)));
}

/** Whether a module may import another, both as paths below the root folder. */
type Rule = (from: string, to: string) => boolean;

/** Every import that the rule forbids, as a sentence. */
export function wrongDirections(graph: ImportGraph, rule: Rule): string[] {
  const wrong: string[] = [];
  for (const [path, imports] of graph) {
    for (const target of imports) {
      if (!rule(path, target)) wrong.push(`${path} must not import ${target}`);
    }
  }
  return wrong;
}

function top(path: string): string {
  return path.split('/')[0] ?? path;
}

export function serverRule(fromPath: string, toPath: string): boolean {
  const [from, to] = [top(fromPath), top(toPath)];
  if (from === to && from in PARTS) return partOf(toPath) >= 0 && partOf(toPath) <= partOf(fromPath);
  if (from === to || WIRING.includes(from)) return true;
  if (to === '..') return false;
  if (from === 'common') return false;
  if (from === 'domain') return to === 'common';
  if (SHARED.includes(from)) return to === 'domain' || to === 'common' || (SHARED.includes(to) && from === 'observe');
  if (from in ONLY) return ONLY[from]!.some(allowed => allowed === to || allowed === toPath);
  if (SHARED.includes(to)) return true;
  const [fromStage, toStage] = [STAGES.indexOf(from), STAGES.indexOf(to)];
  return fromStage >= 0 && toStage >= 0 && toStage < fromStage;
}

/** The place of a file among the parts of its stage; -1 in a folder that has none. */
function partOf(path: string): number {
  const [stage = '', part = '', ...rest] = path.split('/');
  const parts = PARTS[stage] ?? [];
  return rest.length === 0 && !parts.includes(part) ? parts.indexOf('.') : parts.indexOf(part);
}

/** The files in folders of such stages that have no place. */
export function withoutPart(graph: ImportGraph): string[] {
  return [...graph.keys()].filter(path => top(path) in PARTS && partOf(path) < 0);
}

/** The explorer: files at its root, then shell/, then the pages, which do not know each other, then what starts it. */
const PAGES = ['alerts', 'asset', 'map', 'screener'];
const WEB_START = ['app.tsx', 'main.tsx'];
/** Besides its own files: the client, and small code without a platform, of which the types of the explorer admit no other. */
const FROM_OUTSIDE = ['../../client/', '../../src/common/'];

export function webRule(from: string, to: string): boolean {
  if (FROM_OUTSIDE.some(folder => to.startsWith(folder))) return true;
  if (to.startsWith('..')) return false;
  if (WEB_START.includes(from)) return true;
  if (WEB_START.includes(to)) return false;
  return top(from) === top(to) || webLevel(to) === 0 || webLevel(to) < webLevel(from);
}

function webLevel(path: string): number {
  if (!path.includes('/') || path.startsWith('styles/')) return 0;
  return PAGES.includes(top(path)) ? 2 : 1;
}

/** The client library stands alone. */
export function clientRule(_from: string, to: string): boolean {
  return !to.startsWith('..');
}

/** A cycle as `a → b → a`, or null. Imports of types count: a reader follows them too. */
export function findCycle(graph: ImportGraph): string | null {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | null => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) return [...trail.slice(seenAt), path].join(' → ');
    if (done.has(path)) return null;
    for (const target of graph.get(path) ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return null;
}

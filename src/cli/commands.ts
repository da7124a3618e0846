// Every command, in the order in which help lists them. Each module is imported when it is used, so that a server starts without
// the code of the loads.

import type { Command } from './command.ts';

const LOAD: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  ingest: async () => (await import('./ingest.ts')).ingest,
  loads: async () => (await import('./loads.ts')).loads,
  assets: async () => (await import('./assets.ts')).assets,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  keys: async () => (await import('./keys.ts')).keys,
  alerts: async () => (await import('./alerts.ts')).alerts,
  status: async () => (await import('./status.ts')).status,
  explain: async () => (await import('./explain.ts')).explainCommand,
  mcp: async () => (await import('./mcp.ts')).mcp,
  columns: async () => (await import('./columns.ts')).columnsCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  accept: async () => (await import('./accept.ts')).acceptCommand,
  acceptances: async () => (await import('./acceptances.ts')).acceptances,
  correct: async () => (await import('./correct.ts')).correct,
  corrections: async () => (await import('./corrections.ts')).corrections,
  actions: async () => (await import('./asset-actions.ts')).assetActions,
  verify: async () => (await import('./verify.ts')).verify,
  export: async () => (await import('./export.ts')).exportCommand,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(LOAD);

/** Null if there is no command of that name. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(LOAD, name) ? LOAD[name]!() : null;
}

export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(LOAD).map(load => load()));
}

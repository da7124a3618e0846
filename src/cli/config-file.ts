// The settings file.

import { existsSync, readFileSync } from 'node:fs';
import { ConfigError, type RawValues } from '../config.ts';

export interface ConfigFile {
  readonly file: RawValues;
  readonly filePath: string;
}

/** `tidemark.json` in the working directory is optional; a file named by --config must exist. */
export function readConfigFile(path: string | undefined): ConfigFile {
  const filePath = path ?? 'tidemark.json';
  if (path === undefined && !existsSync(filePath)) return { file: {}, filePath };
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(filePath, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${filePath}: not a JSON file (${error instanceof Error ? error.message : error})`);
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) {
    throw new ConfigError(`${filePath}: expected an object of settings, like {"port": 8080}`);
  }
  return { file: file as RawValues, filePath };
}

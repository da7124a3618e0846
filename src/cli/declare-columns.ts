// Reads the columns that the settings file defines, before anything is loaded that has columns: the catalogue of this process, of its threads
// and of the loads that it starts is made of them.

import { ConfigError, OWN_COLUMNS, type RawValues } from '../config.ts';
import { OWN_COLUMNS_VARIABLE, OwnColumnError } from '../domain/own/language.ts';
import { parseDefinitions } from '../domain/own/parse-definitions.ts';
import { readConfigFile } from './config-file.ts';

/** Null, or what is wrong with them: then none are declared, so that help can still be shown. */
export async function declareColumns(argv: readonly string[], env: RawValues): Promise<Error | null> {
  let origin = OWN_COLUMNS_VARIABLE;
  try {
    const given = env[OWN_COLUMNS_VARIABLE];
    const { file, filePath } = readConfigFile(given === undefined ? configPath(argv) : undefined);
    if (given === undefined) origin = `${filePath}: ${OWN_COLUMNS}`;
    const value = typeof given === 'string' && given !== '' ? parsedJson(given) : file[OWN_COLUMNS];
    if (value === undefined) return null;
    const definitions = parseDefinitions(value);
    process.env[OWN_COLUMNS_VARIABLE] = JSON.stringify(
      Object.fromEntries(definitions.map(({ name, formula }) => [name, formula])),
    );
    // Fails for the name of a built-in column.
    await import('../domain/catalogue.ts');
    return null;
  } catch (error) {
    delete process.env[OWN_COLUMNS_VARIABLE];
    if (error instanceof OwnColumnError) return new OwnColumnError(`${origin}: ${error.message}`, error.hint);
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OwnColumnError('expected a JSON object of definitions', 'Write {"ema9": "ema(close, 9)"}.');
  }
}

/** As `parseArgs` reads it. */
function configPath(argv: readonly string[]): string | undefined {
  const at = argv.findIndex(word => word === '--config' || word.startsWith('--config='));
  if (at < 0) return undefined;
  return argv[at] === '--config' ? argv[at + 1] : argv[at]!.slice('--config='.length);
}

// The columns that the settings file defines. The catalogue is made of constants, in every thread and process, so the definitions come to
// it by the environment: the command line puts there what it has read and checked, before it loads anything that has columns.

import { OWN_COLUMNS_VARIABLE } from './language.ts';
import { type OwnDefinition, parseDefinitions } from './parse-definitions.ts';

/** The definitions of this process, in the order of the settings file. */
export const OWN_DEFINITIONS: readonly OwnDefinition[] = fromEnvironment();

function fromEnvironment(): OwnDefinition[] {
  const text = globalThis.process?.env?.[OWN_COLUMNS_VARIABLE];
  return text === undefined || text === '' ? [] : parseDefinitions(JSON.parse(text));
}

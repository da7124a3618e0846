// The columns that the settings file defines. A length is the place of a definition.

import { OWN_DEFINITIONS } from '../../domain/own/definitions.ts';
import type { Kernel } from '../kernel.ts';
import { type OwnProgram, ownProgram } from '../own/program.ts';

const PROGRAMS: readonly OwnProgram[] = OWN_DEFINITIONS.map(({ node }) => ownProgram(node));

/** Numbers of the state of a definition. */
export function ownStateSize(place: number): number {
  return PROGRAMS[place]?.stateSize ?? 0;
}

/** The state is that of one definition: each is a group of its own. */
export const kernel: Kernel = (series, first, lengths, out, row, state) => {
  for (let k = 0; k < lengths.length; k++) PROGRAMS[lengths[k]!]!.run(series, first, out[k]![0], row, state);
};

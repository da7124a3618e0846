// Every command of the program, in the order in which help lists them.

import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { ingest } from './ingest.ts';
import { keys } from './keys.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import { verify } from './verify.ts';

export const COMMANDS: readonly Command[] = [serve, ingest, keys, status, verify, backup, restore];

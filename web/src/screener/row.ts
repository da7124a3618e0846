// A row of the listing, with the columns that the view asks for.

import type { Cell } from '../cell.ts';

export type Row = Readonly<Record<string, Cell>> & { readonly symbol: string };

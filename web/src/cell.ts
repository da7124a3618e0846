// The values that a row of any listing may hold.

export type Cell = string | number | boolean | null;

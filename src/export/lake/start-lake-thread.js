// The first thing that a thread of an export loads: a file that needs no type stripping.

await import('./lake-thread.ts');

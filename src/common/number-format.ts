// Numbers as people write them in English.

/** The format is made when it is first needed: the first one of a process takes longer than to load a folder of modules. */
export function numberFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let made: Intl.NumberFormat | undefined;
  return value => {
    made ??= new Intl.NumberFormat('en-US', options);
    return made.format(value);
  };
}

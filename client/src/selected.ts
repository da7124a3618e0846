// The type of a row, from the columns that a query selects.

/** `'a,b' | ['a', 'b']` to `'a' | 'b'`. */
type Names<List> = List extends readonly (infer Each)[] ? Names<Each> : List extends string ? Split<List> : never;
type Split<Text extends string> = Text extends `${infer First},${infer Rest}` ? First | Split<Rest> : Text;

/** The type of one parameter of a query; never without it. */
type Parameter<Query, Name extends string> = Name extends keyof Query ? Exclude<Query[Name], undefined> : never;

/** Groups of optional columns, by name. */
type Groups = Readonly<Record<string, string>>;

/** The optional columns that `incl_cols` names: by name, by group, or all. */
type Included<Listed extends string, G extends Groups> =
  | ('all' extends Listed ? G[keyof G] : never)
  | (Listed extends keyof G ? G[Listed] : never)
  | Listed;

/** A column whose name is only known at run time may be there or not. */
type Without<Row, Excluded extends string> = string extends Excluded ? Partial<Row> : Omit<Row, Excluded>;

type With<Row, Base extends keyof Row, Listed extends string, G extends Groups> = string extends Listed
  ? Pick<Row, Base> & Partial<Row>
  : Pick<Row, Base | (Included<Listed, G> & keyof Row)>;

/** The names that `calc` defines; `keyof never` would be every name. */
type CalcNames<Calc> = [Calc] extends [never]
  ? never
  : Calc extends readonly (infer Each)[]
    ? Each extends `${infer Name}:${string}`
      ? Name
      : string
    : keyof Calc;

type Computed<Calc> = string extends keyof Calc
  ? unknown
  : Calc extends readonly unknown[]
    ? unknown
    : { readonly [Name in keyof Calc]: number | null };

type Flat<T> = { [K in keyof T]: T[K] };

/** `Row` has every column; `G` names the optional ones. */
export type Selected<Row, G extends Groups, Query> = Flat<
  Without<
    With<Row, Exclude<keyof Row, G[keyof G]>, Names<Parameter<Query, 'incl_cols'>>, G> &
      ([Parameter<Query, 'calc'>] extends [never] ? unknown : Computed<Parameter<Query, 'calc'>>),
    Names<Parameter<Query, 'excl_cols'>>
  >
>;

/** Forbids a parameter with a name that is not allowed. Names that are known at run time only pass. */
type Valid<Param extends string, Given, Allowed> = string extends Given
  ? unknown
  : [Exclude<Given, Allowed>] extends [never]
    ? unknown
    : { readonly [Name in Param]: never };

/**
 * Forbids members that are neither a parameter nor a column of `calc`, and names in `sort`, `incl_cols` and `calc` that the service
 * refuses: a misspelt name must not compile.
 */
export type Known<Query, Parameters, Row, G extends Groups> = {
  readonly [Name in Exclude<keyof Query, keyof Parameters | CalcNames<Parameter<Query, 'calc'>>>]: never;
} & Valid<'sort', Parameter<Query, 'sort'>, keyof Row | CalcNames<Parameter<Query, 'calc'>>> &
  Valid<'incl_cols', Names<Parameter<Query, 'incl_cols'>>, keyof Row | keyof G | 'all'> &
  Valid<'calc', Extract<CalcNames<Parameter<Query, 'calc'>>, keyof Row | keyof Parameters>, never>;

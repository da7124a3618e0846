// The tokens of an expression (`where=`, `calc=`), for the form filters and the completion. The service alone decides what is valid.

export interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign';
  readonly text: string;
  /** Of its first character. */
  readonly at: number;
}

const TOKEN =
  /(?<word>[A-Za-z_]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<text>'(?:[^']|'')*'?)|(?<sign><=|>=|!=|[^\s])/g;

export function tokensOf(expression: string): readonly Token[] {
  return [...expression.matchAll(TOKEN)].map(({ 0: text, index, groups = {} }) => {
    const kind = (['word', 'number', 'text'] as const).find(each => groups[each] !== undefined) ?? 'sign';
    return { kind, text, at: index };
  });
}

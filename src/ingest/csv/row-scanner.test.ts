import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_ROW_BYTES, RowScanner, SCANNED } from './row-scanner.ts';

const COMMA = 0x2c;

/** Rows as `line: cell|cell`, broken ones as `line! fault`, whichever way the bytes are cut into chunks. */
function scan(bytes: Buffer, chunkBytes = bytes.length): string[] {
  const scanner = new RowScanner(COMMA);
  const rows: string[] = [];
  const drain = (): void => {
    for (let scanned = scanner.next(); scanned !== SCANNED.more; scanned = scanner.next()) {
      if (scanned === SCANNED.broken) rows.push(`${scanner.line}! ${scanner.fault}`);
      else rows.push(`${scanner.line}: ${Array.from({ length: scanner.cells }, (_, i) => scanner.text(i)).join('|')}`);
    }
  };
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    scanner.push(bytes.subarray(at, at + chunkBytes));
    drain();
  }
  scanner.finish();
  drain();
  return rows;
}

const QUOTE_FAULT = 'a quote is not closed, or is followed by more text';

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['rows end with LF', 'a,b\nc,d\n', ['1: a|b', '2: c|d']],
  ['rows end with CR LF', 'a,b\r\nc,d\r\n', ['1: a|b', '2: c|d']],
  ['rows end with CR', 'a,b\rc,d\r', ['1: a|b', '2: c|d']],
  ['the last row has no line end', 'a,b\nc,d', ['1: a|b', '2: c|d']],
  ['empty lines are rows of one empty cell', 'a\n\r\n\nb', ['1: a', '2: ', '3: ', '4: b']],
  ['empty cells are cells', ',\n,,\n', ['1: |', '2: ||']],
  ['nothing has no row', '', []],
  ['quotes hold delimiters', '"a,b",c\n', ['1: a,b|c']],
  ['quotes hold line ends', '"a\nb\r\nc",d\ne,f\n', ['1: a\nb\r\nc|d', '4: e|f']],
  ['two quotes are one', '"a ""b""",c\n', ['1: a "b"|c']],
  ['an empty quoted cell is empty', '"",""\n', ['1: |']],
  ['a quoted cell ends the file', 'a,"b"', ['1: a|b']],
  ['spaces may stand around quotes', 'a, "b" ,c\n', ['1: a|b|c']],
  ['a quote inside a cell is a sign like any other', 'a"b,c"\nd,e\n', ['1: a"b|c"', '2: d|e']],
  ['text after a closing quote breaks its line only', '"a"b,c\nd,e\n', [`1! ${QUOTE_FAULT}`, '2: d|e']],
  ['an unclosed quote breaks its line only', 'a,"b\nc,d\ne,f\n', [`1! ${QUOTE_FAULT}`, '2: c|d', '3: e|f']],
  ['an unclosed quote before quoted cells breaks its line only', 'a,"b\n"c",d\n', [`1! ${QUOTE_FAULT}`, '2: c|d']],
];

for (const [name, text, expected] of CASES) {
  test(`${name}, however the bytes arrive`, () => {
    const bytes = Buffer.from(text);
    for (let chunk = 1; chunk <= Math.max(1, bytes.length); chunk++) assert.deepEqual(scan(bytes, chunk), expected);
  });
}

test('what is found does not depend on how the bytes arrive', () => {
  const sign = fc.constantFrom('a', 'b', ',', '"', '\n', '\r', '\r\n', ' ', '""', '",', '\n"');
  const text = fc.array(sign, { maxLength: 60 }).map(signs => signs.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (content, chunk) => {
      assert.deepEqual(scan(Buffer.from(content), chunk), scan(Buffer.from(content)));
    }),
    { numRuns: 1000 },
  );
});

test('cells written by the rules of RFC 4180 are read back', () => {
  const cell = fc
    .array(fc.constantFrom('x', 'é', ',', '"', '\n', '\r'), { maxLength: 8 })
    .map(signs => `<${signs.join('')}>`);
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(rows, content => {
      const text = content.map(row => row.map(value => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      const read = scan(Buffer.from(text), 5).map(row => row.slice(row.indexOf(' ') + 1));
      assert.deepEqual(
        read,
        content.map(row => row.join('|')),
      );
    }),
  );
});

test('rows of thousands of cells are read', () => {
  for (const cells of [63, 64, 65, 127, 128, 129, 20_000]) {
    const plain = Array.from({ length: cells }, (_, i) => String(i % 10));
    assert.deepEqual(scan(Buffer.from(plain.join(','))), [`1: ${plain.join('|')}`]);
    const quoted = Buffer.from(plain.map(cell => `"${cell}"`).join(','));
    if (quoted.length <= MAX_ROW_BYTES) assert.deepEqual(scan(quoted), [`1: ${plain.join('|')}`]);
  }
});

test('a line that is too long costs itself only, and no memory', () => {
  const long = 'x'.repeat(MAX_ROW_BYTES * 3);
  for (const chunk of [1000, 70_000, 1_000_000]) {
    const rows = scan(Buffer.from(`a,b\n${long}\nc,d\n`), chunk);
    assert.deepEqual(rows, ['1: a|b', '2! the line has more than 65536 bytes', '3: c|d']);
  }
});

test('an unclosed quote in a long file gives every later line back', () => {
  const later = Array.from({ length: 20_000 }, (_, i) => `s${i},${i}`);
  const rows = scan(Buffer.from(['a,"b', ...later].join('\n')), 4096);
  assert.equal(rows.length, 20_001);
  assert.equal(rows[20_000], '20001: s19999|19999');
});

test('a file that breaks off loses its incomplete last line only', () => {
  for (const [text, line] of [
    ['a,b\nc,d\ne,"f', 3],
    ['a,b\rc,d\re', 3],
    ['a,b\nc,d\n', 3],
    ['a,b', 1],
  ] as const) {
    const scanner = new RowScanner(COMMA);
    scanner.push(Buffer.from(text));
    const rows: string[] = [];
    assert.equal(scanner.cut(), line, text);
    while (scanner.next() === SCANNED.row) rows.push(`${scanner.text(0)}|${scanner.text(1)}`);
    assert.deepEqual(rows, line === 3 ? ['a|b', 'c|d'] : [], text);
  }
});

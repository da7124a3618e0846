// Bytes of Thrift's compact protocol, as its specification gives them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { binary, bool, i32, i64, list, type ThriftStruct, thriftBytes } from './thrift.ts';

describe('the compact protocol', () => {
  for (const [what, fields, bytes] of [
    ['whole numbers, in zigzag form', { 1: i32(-1), 2: i32(1) }, [0x15, 1, 0x15, 2, 0]],
    [
      'whole numbers of two bytes',
      { 1: i64(-64), 2: i64(64), 3: i64(-65) },
      [0x16, 127, 0x16, 128, 1, 0x16, 129, 1, 0],
    ],
    ['booleans, in the head of the field', { 1: bool(true), 3: bool(false) }, [0x11, 0x22, 0]],
    ['fifteen fields further', { 15: i32(0), 30: i32(0) }, [0xf5, 0, 0xf5, 0, 0]],
    ['texts', { 1: binary('é') }, [0x18, 2, 0xc3, 0xa9, 0]],
    ['fourteen items', { 1: list('i32', Array(14).fill(i32(0))) }, [0x19, 0xe5, ...Array(14).fill(0), 0]],
    ['fifteen items', { 1: list('i32', Array(15).fill(i32(0))) }, [0x19, 0xf5, 15, ...Array(15).fill(0), 0]],
  ] as const satisfies readonly (readonly [string, ThriftStruct, readonly number[]])[]) {
    it(`has ${what}`, () => assert.deepEqual([...thriftBytes(fields)], bytes));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreError } from '../port/store.ts';
import { SeenVersions } from './seen-versions.ts';

const WHERE = 'postgres://somebody@a:1,b:2/there';
let stores = 0;
const fresh = () => SeenVersions.of(`${WHERE}${++stores}`);

describe('versions that were seen', () => {
  it('are refused from a standby when they are older than the last one', () => {
    const seen = fresh();
    assert.equal(seen.accept('data', { version: 7, standby: false }), 7);
    assert.equal(seen.accept('data', { version: 7, standby: true }), 7);
    assert.throws(
      () => seen.accept('data', { version: 6, standby: true }),
      (error: unknown) =>
        error instanceof StoreError &&
        error.code === 'no_primary' &&
        error.message ===
          `${WHERE}1 has no host that is up to date (a standby has version 6 of the data, and 7 was there before)`,
    );
    assert.equal(seen.accept('data', { version: 8, standby: true }), 8);
    assert.throws(() => seen.accept('data', { version: 7, standby: true }), StoreError);
  });

  it('are believed of a primary, which may have been restored', () => {
    const seen = fresh();
    seen.accept('data', { version: 7, standby: false });
    assert.equal(seen.accept('data', { version: 3, standby: false }), 3);
    assert.equal(seen.accept('data', { version: 4, standby: true }), 4);
  });

  it('are remembered when a store is opened again', () => {
    SeenVersions.of('one').accept('keys', { version: 7, standby: false });
    assert.throws(() => SeenVersions.of('one').accept('keys', { version: 6, standby: true }), StoreError);
    assert.equal(SeenVersions.of('another').accept('keys', { version: 6, standby: true }), 6);
  });

  it('of data and of keys have nothing to do with each other', () => {
    const seen = fresh();
    seen.accept('data', { version: 7, standby: false });
    assert.equal(seen.accept('keys', { version: 2, standby: true }), 2);
  });
});

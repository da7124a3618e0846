import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeliverySlots } from './delivery-slots.ts';

/** How many it gets, at most 100. */
function taken(slots: DeliverySlots, receiver: (i: number) => string): number {
  let count = 0;
  for (let i = 0; i < 100; i++) if (slots.take(receiver(i))) count++;
  return count;
}

describe('slots for deliveries', () => {
  it('a receiver gets few until it has responded, and fewest while it does not respond', () => {
    const slots = new DeliverySlots();
    assert.equal(
      taken(slots, () => 'a'),
      4,
    );
    slots.tried('a', true);
    assert.equal(
      taken(slots, () => 'a'),
      12,
    );
    slots.tried('b', false);
    assert.equal(
      taken(slots, () => 'b'),
      2,
    );
    slots.release('b');
    assert.deepEqual([slots.take('b'), slots.take('b')], [true, false]);
  });

  it('a delivery that ends frees one slot', () => {
    const slots = new DeliverySlots();
    for (let i = 0; i < 4; i++) slots.take('a');
    slots.release('a');
    assert.deepEqual([slots.take('a'), slots.take('a')], [true, false]);
  });

  it('receivers that do not respond leave slots for the others, however many they are', () => {
    const slots = new DeliverySlots();
    for (let i = 0; i < 100; i++) slots.tried(`silent${i}`, false);
    assert.equal(
      taken(slots, i => `silent${i}`),
      16,
    );
    assert.equal(slots.take('good'), true);
  });

  it('are bounded for all receivers together', () => {
    const slots = new DeliverySlots();
    assert.equal(
      taken(slots, i => `r${i}`),
      64,
    );
  });
});

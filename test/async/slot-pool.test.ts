import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSlot, type Slot, SlotPool } from '../../src/async/slot-pool.js';

const MAX = 10_000;

/** Takes slots for a client until it gets none. */
function fill(slots: SlotPool, client: string, max = MAX): Slot[] {
  const taken: Slot[] = [];
  for (
    let place = slots.tryAcquire(max, { client });
    isSlot(place);
    place = slots.tryAcquire(max, { client })
  ) {
    taken.push(place);
  }
  return taken;
}

describe('a slot pool', () => {
  test('gives one client alone an eighth uncounted and two thirds of the rest', () => {
    const slots = new SlotPool();
    const taken = fill(slots, 'hog');
    assert.equal(taken.length, MAX / 8 + Math.floor((MAX * 7 * 2) / (8 * 3)) + 1);
    assert.equal(slots.used, taken.length);
  });

  test('keeps 1/(2n+1) of the counted slots free beside n greedy clients, each of which has twice as much', () => {
    for (const clients of [1, 2, 5, 20]) {
      const slots = new SlotPool();
      const held = Array.from({ length: clients }, (_, i) => ({ name: `hog ${i}`, slots: [] as Slot[] }));
      // The clients start one after another; later each slot is released after about twenty rounds.
      for (let round = 0; round < 400; round++) {
        for (const { name, slots: own } of held) {
          for (const given of own.splice(0, Math.ceil(own.length / 20))) slots.release(given);
          own.push(...fill(slots, name));
        }
      }
      const max = MAX / (2 * clients + 1);
      const share = (7 / 8) * max;
      const free = MAX - slots.used;
      assert.ok(free >= share - 2, `${free} are free beside ${clients}, at least ${share}`);
      for (const { name, slots: own } of held) {
        const counted = own.filter((place) => place > 0).length;
        assert.ok(counted >= 2 * share - 4 && counted <= 2 * max + 4, `${name} of ${clients} has ${counted}`);
      }
    }
  });

  test('gives a newcomer slots at once, however long others hold theirs', () => {
    const slots = new SlotPool();
    for (let hog = 0; hog < 5; hog++) fill(slots, `hog ${hog}`);
    assert.ok(fill(slots, 'newcomer').length >= 20);
    const few = new SlotPool();
    for (let hog = 0; hog < 20; hog++) {
      const begun = few.tryAcquire(MAX, { client: `hog ${hog}` });
      assert.ok(isSlot(begun));
    }
    fill(few, 'hog');
    assert.ok(fill(few, 'newcomer').length > MAX / 6);
  });

  test('leaves some of four or more slots free beside one client', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 8].map((max) => fill(new SlotPool(), 'hog', max).length),
      [0, 1, 2, 3, 3, 4, 6],
    );
  });

  test('serves a hundred thousand clients without memory for each, never beyond the limit, and gets all slots back', () => {
    const memory = SlotPool.memory();
    const slots = new SlotPool(memory);
    const taken: Slot[] = [];
    for (let client = 0; client < 100_000; client++) {
      const place = slots.tryAcquire(MAX, {
        client: `address 10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
      });
      if (isSlot(place)) taken.push(place);
    }
    assert.equal(taken.length, MAX);
    assert.ok(memory.byteLength < 256 * 1024);
    for (const place of taken) slots.release(place);
    const words = new Int32Array(memory, 36);
    assert.equal(slots.used, 0);
    assert.ok(words.every((word) => word === 0));
  });

  test('counts one client correctly beside 5,000 with a slot each', () => {
    let wrong = 0;
    for (let run = 0; run < 20; run++) {
      const slots = new SlotPool();
      for (let client = 0; client < 5_000; client++) slots.tryAcquire(MAX, { client: `client ${client}` });
      // The client gets two thirds of the rest, twice as many slots as stay free.
      const expected = Math.floor(((MAX - 5_000) * 2) / 3) + 1;
      const { length } = fill(slots, 'honest');
      assert.ok(length <= expected, `${length} of ${expected}`);
      if (length < expected - 2) wrong++;
    }
    assert.equal(wrong, 0);
  });

  test('has a key of its own, so that clients cannot tell who shares a cell', () => {
    const cells = new Set<Slot>();
    for (let run = 0; run < 20; run++) {
      const slots = new SlotPool();
      for (let i = 0; i < MAX / 8; i++) slots.acquire();
      cells.add(slots.tryAcquire(MAX, { client: 'one' }));
    }
    assert.equal(cells.size, 20);
  });

  test('counts a slot for its client each time it is taken', () => {
    const slots = new SlotPool();
    const taken = fill(slots, 'hog', 100);
    for (const place of taken) slots.release(place);
    for (const place of taken) slots.acquire(place);
    assert.equal(fill(slots, 'hog', 100).length, 0);
    assert.ok(fill(slots, 'other', 100).length > 10);
  });
});

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { BEFORE, slotName } from '../../../src/execution/access-recorder.js';
import {
  DecodedOverlay,
  OverlayEncoder,
  type OverlayPart,
} from '../../../src/execution/parallel/block-overlay.js';
import { WorldState } from '../../../src/execution/world-state.js';
import { EMPTY_ACCOUNT } from '../../../src/ledger/accounts.js';
import { BlockWorld } from '../../support/worlds/block-world.js';

const ALICE = 'aa'.repeat(20);
const BOB = 'bb'.repeat(20);
const CONTRACT = new Uint8Array(20).fill(7);
const slot = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const nameOf = (number: number): string => slotName(CONTRACT, slot(number));

describe('the overlay of a block in progress', () => {
  let world: BlockWorld;
  let state: WorldState;
  let encoder: OverlayEncoder;
  let overlay: DecodedOverlay;

  before(async () => {
    world = await BlockWorld.open();
  });

  beforeEach(() => {
    state = new WorldState(world.state);
    encoder = new OverlayEncoder(state);
    overlay = new DecodedOverlay();
  });

  function pay(address: string, amount: bigint): void {
    state.writeAccount(address, { ...EMPTY_ACCOUNT, balance: amount });
  }

  test('contains values and removals, and nothing else', () => {
    pay(ALICE, 5n);
    state.writeSlot(CONTRACT, slot(1), Uint8Array.of(1, 2));
    state.writeSlot(CONTRACT, slot(2), undefined);
    state.writeRecord(Uint8Array.of(0xff, 0), Uint8Array.of(9));
    overlay.set(encoder.parts());
    assert.deepEqual(overlay.account(ALICE), { ...EMPTY_ACCOUNT, balance: 5n });
    assert.equal(overlay.account(BOB), undefined);
    assert.deepEqual(overlay.slot(nameOf(1)), { value: Uint8Array.of(1, 2), writer: BEFORE });
    assert.deepEqual(overlay.slot(nameOf(2)), { value: undefined, writer: BEFORE });
    assert.equal(overlay.slot(nameOf(3)), undefined);
    assert.deepEqual(overlay.record('\u00ff\u0000')?.value, Uint8Array.of(9));
  });

  test('has parts that each contain only new changes, and the last write wins', () => {
    pay(ALICE, 5n);
    state.writeSlot(CONTRACT, slot(1), new Uint8Array(10_000));
    const [first] = encoder.parts();
    assert.equal(encoder.parts().length, 1, 'nothing changed');
    pay(BOB, 6n);
    pay(ALICE, 7n);
    const parts = encoder.parts();
    assert.equal(parts[0], first);
    assert.ok((parts[1]?.bytes.length ?? 0) < 1_000);
    overlay.set(parts);
    assert.equal(overlay.account(ALICE)?.balance, 7n);
    assert.equal(overlay.account(BOB)?.balance, 6n);
    assert.equal(overlay.slot(nameOf(1))?.value?.length, 10_000);
  });

  test('drops later writes when set to earlier parts or another block', () => {
    pay(ALICE, 5n);
    const early = encoder.parts();
    pay(BOB, 6n);
    overlay.set(encoder.parts());
    overlay.set(early);
    assert.equal(overlay.account(BOB), undefined);
    overlay.set([]);
    assert.equal(overlay.account(ALICE), undefined);
  });

  test('has all writes after an unreadable part is replaced', () => {
    pay(ALICE, 5n);
    const early = encoder.parts();
    pay(BOB, 6n);
    const parts = encoder.parts();
    overlay.set(early);
    const broken: OverlayPart = { id: parts[1]?.id ?? 0, bytes: new Uint8Array(new SharedArrayBuffer(2)) };
    assert.throws(() => overlay.set([...early, broken]));
    overlay.set(parts);
    assert.equal(overlay.account(ALICE)?.balance, 5n);
    assert.equal(overlay.account(BOB)?.balance, 6n);
  });
});

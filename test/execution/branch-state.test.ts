// The state on branches as seen by workers, which keep a bounded part of it decoded.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { branchState, DecodedWrites } from '../../src/execution/branch-state.js';
import { PendingBlockState, type PendingWrites } from '../../src/execution/pending-writes.js';
import type { StateSource } from '../../src/execution/state-source.js';
import { EMPTY_ACCOUNT } from '../../src/ledger/accounts.js';
import { ledger } from '../../src/ledger/codecs.js';
import { accountKey, slotKey } from '../../src/ledger/state-keys.js';
import { readBe64 } from '../../src/storage/big-endian.js';
import { valueOfRaw } from '../../src/storage/state.js';
import { PURE_CRYPTO as CRYPTO } from '../support/crypto/pure-crypto.js';
import { hexOf, MemoryState, numbered } from '../support/worlds/block-world.js';

const CONTRACT = numbered(1);
/** Number of blocks kept decoded. */
const KEPT = 32;
const BLOCKS = 40;

const word = (value: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at < 31 ? 0 : value));

/** A slot that every block writes. */
const SHARED_SLOT = word(200);
/** A slot that every third block writes and the next block deletes. */
const FLEETING_SLOT = word(201);
const PAYEE = numbered(2);

/** A branch of blocks and the expected reads on top of it. */
class ModelBranch {
  readonly blocks: PendingBlockState[] = [];
  readonly #name: number;

  constructor(name: number) {
    this.#name = name;
  }

  get shared() {
    return this.blocks.map(({ shared }) => shared);
  }

  grow(): void {
    const index = this.blocks.length;
    const slot = (name: Uint8Array, value: Uint8Array | undefined) => ({
      key: slotKey(CRYPTO, CONTRACT, name),
      previous: undefined,
      value,
    });
    const record = { ...EMPTY_ACCOUNT, balance: this.#balance(index) };
    const account = {
      key: accountKey(CRYPTO, PAYEE),
      previous: undefined,
      value: ledger.AccountRecord.encode(record),
      account: { address: hexOf(PAYEE), record },
    };
    const code = this.#code(index);
    this.blocks.push(
      new PendingBlockState(BigInt(index + 1), {
        writes: [
          slot(word(index), Uint8Array.of(this.#name, index)),
          slot(SHARED_SLOT, Uint8Array.of(this.#name, 100, index)),
          ...(index % 3 === 0 ? [slot(FLEETING_SLOT, Uint8Array.of(this.#name, 101, index))] : []),
          ...(index % 3 === 1 ? [slot(FLEETING_SLOT, undefined)] : []),
          ...(index % 5 === 0 ? [account] : []),
        ],
        codes: [{ hash: CRYPTO.sha256(code), bytes: code }],
      }),
    );
  }

  /** Asserts that every key has the value of the last block that wrote it. */
  expect(decoded: readonly PendingWrites[]): void {
    const state = branchState(COMMITTED, CRYPTO, decoded);
    const length = this.blocks.length;
    for (let index = 0; index < BLOCKS; index++) {
      const isThere = index < length;
      const value = isThere ? [index + 1, this.#name, index] : undefined;
      assert.deepEqual(read(state, word(index)), value, `slot ${index} after ${length} blocks`);
      const code = state.code(CRYPTO.sha256(this.#code(index)));
      assert.deepEqual(code && hexOf(code), isThere ? hexOf(this.#code(index)) : undefined);
    }
    const last = length - 1;
    assert.deepEqual(read(state, SHARED_SLOT), [length, this.#name, 100, last]);
    assert.deepEqual(
      read(state, FLEETING_SLOT),
      last % 3 === 0 ? [length, this.#name, 101, last] : undefined,
    );
    assert.equal(state.account(hexOf(PAYEE)).record.balance, this.#balance(last - (last % 5)));
    assert.deepEqual(read(state, word(250)), [0, 7], 'what no block wrote is as committed');
  }

  #balance(index: number): bigint {
    return BigInt(1_000 * this.#name + index);
  }

  #code(index: number): Uint8Array {
    return Uint8Array.of(this.#name, index, 9);
  }
}

/** A slot's value, prefixed with the height that wrote it. */
function read(state: StateSource, slot: Uint8Array): number[] | undefined {
  const { raw } = state.slot(CONTRACT, slot);
  return raw === undefined ? undefined : [Number(readBe64(raw, 0)), ...valueOfRaw(raw)];
}

const COMMITTED: StateSource = committed();

/** The committed state: a slot that no block writes, and one that blocks write and delete. */
function committed(): StateSource {
  const state = new MemoryState(CRYPTO);
  const entries = [word(250), FLEETING_SLOT].map((slot) => ({
    key: hexOf(slotKey(CRYPTO, CONTRACT, slot)),
    raw: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 7),
  }));
  return {
    account: (address) => state.account(address),
    slot: (contract, slot) => {
      const entry = state.slot(contract, slot);
      return { ...entry, raw: entries.find(({ key }) => key === hexOf(entry.key))?.raw };
    },
    record: (name) => state.record(name),
    code: () => undefined,
  };
}

function grown(name: number, length: number): ModelBranch {
  const branch = new ModelBranch(name);
  for (let block = 0; block < length; block++) branch.grow();
  return branch;
}

describe("a worker's decoded writes", () => {
  test('are right on two branches that grow alternately beyond the kept blocks', () => {
    const decoded = new DecodedWrites();
    const branches = [new ModelBranch(1), new ModelBranch(2)];
    for (let block = 0; block < BLOCKS / 2; block++) {
      for (const branch of branches) {
        branch.grow();
        branch.expect(decoded.of(branch.shared));
      }
    }
  });

  test('are decoded once while kept', () => {
    const decoded = new DecodedWrites();
    const [one, other] = [grown(1, KEPT / 2), grown(2, KEPT / 2)];
    const [first, second] = [decoded.of(one.shared), decoded.of(other.shared)];
    for (let times = 0; times < 3; times++) {
      assertSame(decoded.of(other.shared), second);
      assertSame(decoded.of(one.shared), first);
    }
    // One more block evicts the least recently used one, regardless of insertion order.
    decoded.of(grown(3, 1).shared);
    assertSame(decoded.of(one.shared), first);
    const again = decoded.of(other.shared);
    assert.notEqual(again[0], second[0]);
    other.expect(again);
  });

  test('are right on a branch longer than the kept blocks, also on a second read', () => {
    const decoded = new DecodedWrites();
    const branch = grown(1, BLOCKS);
    const first = decoded.of(branch.shared);
    branch.expect(first);
    const again = decoded.of(branch.shared);
    branch.expect(again);
    assertSame(again.slice(-KEPT), first.slice(-KEPT));
    for (const [index, writes] of again.slice(0, -KEPT).entries()) assert.notEqual(writes, first[index]);
  });

  test('match the writes of the sending thread', () => {
    const branch = grown(1, BLOCKS);
    branch.expect(branch.blocks.map(({ writes }) => writes));
  });
});

function assertSame(actual: readonly PendingWrites[], expected: readonly PendingWrites[]): void {
  assert.equal(actual.length, expected.length);
  for (const [index, writes] of actual.entries()) assert.equal(writes, expected[index], `block ${index}`);
}

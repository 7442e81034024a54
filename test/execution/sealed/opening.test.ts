// The outcome of opening an envelope, in isolation.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { executeOpening, openingOf } from '../../../src/execution/sealed/opening.js';
import { WorldState } from '../../../src/execution/world-state.js';
import type { Action, PendingEnvelope } from '../../../src/generated/ledger.js';
import { toHex } from '../../../src/idl/hex.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { MemoryState, numbered } from '../../support/worlds/block-world.js';

const [ALICE, BOB] = [numbered(1), numbered(2)];
const DEPOSIT = 1_000_000n;

describe('the outcome of an opening', () => {
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('off', () => undefined);
  });

  /** Opens an envelope with 10,000 gas left, at base fee 10. */
  function opened(content: Action | undefined, fees: { readonly max: bigint; readonly priority: bigint }) {
    const source = new MemoryState(crypto);
    source.fund(ALICE, 1_000n);
    source.fund(BOB, 1n);
    const state = new WorldState(source);
    const header = {
      chain_id: 1n,
      sender: ALICE,
      lane: 0,
      nonce: 0n,
      gas_limit: 30_000n,
      opens_at: 9n,
      max_fee: fees.max,
      priority_fee: fees.priority,
      max_seal_fee: 0n,
    };
    const sealed = {
      u: new Uint8Array(48),
      v: new Uint8Array(32),
      w: new Uint8Array(32),
      payload: new Uint8Array(3),
    };
    const value = { public_key: new Uint8Array(32), signature: new Uint8Array(64) };
    const pending: PendingEnvelope = {
      signed: { envelope: { header, ...sealed }, signature: { type: 'ed25519', value } },
      gas_used: 20_000n,
      base_fee: 2n,
      deposit: DEPOSIT,
    };
    const details = {
      pending: ledger.PendingEnvelope.encode(pending),
      ...(content === undefined ? {} : { action: ledger.Action.encode(content) }),
    };
    const env = {
      chainId: 1n,
      height: 10n,
      timestampMs: 1n,
      baseFee: 10n,
      slotPrice: 20_000_000n,
      gasLimit: 10n ** 9n,
      proposer: '33'.repeat(20),
    };
    const { outcome, gasUsed, fee, tip } = executeOpening(openingOf(details, crypto), { state, env });
    return { outcome, gasUsed, fee, tip, alice: state.balance(toHex(ALICE)), bob: state.balance(toHex(BOB)) };
  }

  const pay = (amount: bigint, to = BOB): Action => ({ type: 'transfer', value: { to, amount } });

  test('pays base fee and priority for what it used, and gets the rest back', () => {
    const fresh = pay(5n, numbered(3));
    assert.deepEqual(opened(fresh, { max: 15n, priority: 2n }), {
      outcome: 'success',
      gasUsed: 5_000n,
      fee: 60_000n,
      tip: 10_000n,
      alice: 1_000n - 5n + DEPOSIT - 60_000n,
      bob: 1n,
    });
  });

  test('pays at most max_fee if the base fee rose above it, and nothing to the proposer', () => {
    const fresh = pay(5n, numbered(3));
    const { fee, tip, alice } = opened(fresh, { max: 3n, priority: 2n });
    assert.deepEqual([fee, tip, alice], [15_000n, 0n, 1_000n - 5n + DEPOSIT - 15_000n]);
  });

  test('is reverted if it moves more than the balance of its sender without the gas reserve', () => {
    assert.deepEqual(opened(pay(1_001n), { max: 15n, priority: 2n }), {
      outcome: 'reverted',
      gasUsed: 0n,
      fee: 0n,
      tip: 0n,
      alice: 1_000n + DEPOSIT,
      bob: 1n,
    });
  });

  test('burns the gas left after inclusion, at the base fee of the inclusion, if it does not open', () => {
    assert.deepEqual(opened(undefined, { max: 15n, priority: 2n }), {
      outcome: 'invalid',
      gasUsed: 10_000n,
      fee: 20_000n,
      tip: 0n,
      alice: 1_000n + DEPOSIT - 20_000n,
      bob: 1n,
    });
  });
});

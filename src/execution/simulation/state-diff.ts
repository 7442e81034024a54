import type { ContractRecord } from '../../generated/ledger.js';
import type { SlotChange, StateDiff, ValueChange } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { expectAnswer } from '../../ledger/answer-limit.js';
import { valueOfRaw } from '../../storage/state.js';
import type { StateSource } from '../state-source.js';
import { CallError } from '../views/call-error.js';
import type { WorldState } from '../world-state.js';

const MAX_U128 = (1n << 128n) - 1n;
/** What a slot that changed takes at least in JSON, beside its values. */
const SLOT_LENGTH = 80;
const NO_SLOTS: readonly SlotChange[] = [];

interface AccountChange {
  balance?: ValueChange;
  code_hash?: Uint8Array;
  slots?: SlotChange[];
}

/**
 * What a state changed beside the one that it ran on, ascending by address and by slot. What was written and is as before
 * is left out.
 * @throws CallError where overridden balances add up to more than there can be
 * @throws AnswerTooLongError where what was written to slots is more than an answer has
 */
export function stateDiff(state: WorldState, before: StateSource): StateDiff[] {
  const changes = new Map<string, AccountChange>();
  for (const [address, record] of state.writtenAccounts()) {
    const { record: old } = before.account(address);
    const change: AccountChange = {};
    if (record.balance !== old.balance) change.balance = balanceChange(old.balance, record.balance);
    const codeHash = newCode(old.contract, record.contract);
    if (codeHash !== undefined) change.code_hash = codeHash;
    if (change.balance !== undefined || codeHash !== undefined) changes.set(address, change);
  }
  let length = 0;
  for (const { contract, slot, value } of state.writtenSlots()) {
    const { raw } = before.slot(contract, slot);
    const old = raw === undefined ? undefined : valueOfRaw(raw);
    if (isSame(old, value)) continue;
    length += SLOT_LENGTH + 2 * ((old?.length ?? 0) + (value?.length ?? 0));
    expectAnswer(length);
    const address = toHex(contract);
    let change = changes.get(address);
    if (change === undefined) {
      change = {};
      changes.set(address, change);
    }
    change.slots ??= [];
    change.slots.push({
      slot,
      ...(old === undefined ? {} : { before: old }),
      ...(value === undefined ? {} : { after: value }),
    });
  }
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, { slots, ...rest }]) => ({
      address: Buffer.from(address, 'hex'),
      slots: slots?.sort((a, b) => Buffer.compare(a.slot, b.slot)) ?? NO_SLOTS,
      ...rest,
    }));
}

function balanceChange(before: bigint, after: bigint): ValueChange {
  if (after <= MAX_U128) return { before, after };
  throw new CallError({
    code: 'invalid_params',
    path: 'params.overrides',
    expected: `balances that together stay below 2^128`,
    got: `balances with which an account comes to ${after}`,
  });
}

function newCode(
  before: ContractRecord | undefined,
  after: ContractRecord | undefined,
): Uint8Array | undefined {
  if (after === undefined || isSame(before?.code_hash, after.code_hash)) return undefined;
  return after.code_hash;
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

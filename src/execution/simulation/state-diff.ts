import { checkAnswerSize } from '../../base/answer-limit.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { ContractRecord } from '../../generated/ledger.js';
import { decimalJson } from '../../idl/codecs/json-writer.js';
import { toHex } from '../../idl/hex.js';
import { addressName } from '../../ledger/address-names.js';
import { valueOfRaw } from '../../storage/state.js';
import type { StateSource } from '../state-source.js';
import type { WorldState } from '../world-state.js';

/** Minimum JSON length of a changed slot, without its values. */
const SLOT_LENGTH = 80;

/** The changes at an address, as JSON: members with a leading comma, or empty if unchanged. */
interface AccountChange {
  readonly address: string;
  balance: string;
  codeHash: string;
  readonly slots: SlotChange[];
}

interface SlotChange {
  /** 64 hex digits. */
  readonly slot: string;
  readonly json: string;
}

/**
 * Returns the changes relative to `before`, the state that `state` was built on, ascending by address and slot, each
 * the JSON of a StateDiff as its codec writes it, without writes that change nothing. Hot: guarded by
 * `bench/calls.bench.ts`. @throws AnswerTooLongError
 */
export function stateDiffJson(state: WorldState, before: StateSource): string[] {
  const changes = new Map<string, AccountChange>();
  const changeAt = (address: string): AccountChange => {
    let change = changes.get(address);
    if (change === undefined) {
      change = { address, balance: '', codeHash: '', slots: [] };
      changes.set(address, change);
    }
    return change;
  };
  for (const [address, record] of state.writtenAccounts()) {
    const { record: old } = before.account(address);
    if (record.balance !== old.balance) changeAt(address).balance = balanceJson(old.balance, record.balance);
    const codeHash = codeJson(old.contract, record.contract);
    if (codeHash !== '') changeAt(address).codeHash = codeHash;
  }
  let length = 0;
  for (const { contract, slot, value, entry } of state.writtenSlots()) {
    const { raw } = entry ?? before.slot(contract, slot);
    const old = raw === undefined ? undefined : valueOfRaw(raw);
    if (sameBytes(old, value)) continue;
    length += SLOT_LENGTH + 2 * ((old?.length ?? 0) + (value?.length ?? 0));
    checkAnswerSize(length);
    const name = toHex(slot);
    const was = old === undefined ? '' : `,"before":"0x${toHex(old)}"`;
    const is = value === undefined ? '' : `,"after":"0x${toHex(value)}"`;
    changeAt(addressName(contract)).slots.push({ slot: name, json: `{"slot":"${name}"${was}${is}}` });
  }
  const sorted = [...changes.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  return sorted.map(
    ({ address, balance, slots, codeHash }) =>
      `{"address":"0x${address}"${balance},"slots":[${slotsJson(slots)}]${codeHash}}`,
  );
}

function slotsJson(slots: SlotChange[]): string {
  slots.sort((a, b) => (a.slot < b.slot ? -1 : 1));
  let text = '';
  for (const { json } of slots) text += text === '' ? json : `,${json}`;
  return text;
}

function balanceJson(before: bigint, after: bigint): string {
  return `,"balance":{"before":${decimalJson(before)},"after":${decimalJson(after)}}`;
}

/** The hash of the new code. */
function codeJson(before: ContractRecord | undefined, after: ContractRecord | undefined): string {
  if (after === undefined || after === before || sameBytes(before?.code_hash, after.code_hash)) return '';
  return `,"code_hash":"${toHex(after.code_hash)}"`;
}

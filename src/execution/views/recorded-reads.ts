import { defined } from '../../base/defined.js';
import { addTo } from '../../base/multi-map.js';
import type { AccountRecord } from '../../generated/ledger.js';
import type { StateOverride } from '../../generated/node-rpc-v1.js';
import { fromHex, toHex } from '../../idl/hex.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import { valueOfRaw } from '../../storage/state.js';
import { type AccountEntry, LayeredState, type StateEntry, type StateSource } from '../state-source.js';
import { TraceBudget } from './trace-budget.js';

const ACCOUNT_BYTES = 120;
const SLOT_BYTES = 100;

export interface ReadSlot {
  readonly contract: Uint8Array;
  readonly slot: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Returns contract ‖ slot, 104 lowercase hex digits: sorts after the contract's address, and can be parsed. */
export function slotHex(contract: Uint8Array, slot: Uint8Array): string {
  return toHex(contract) + toHex(slot);
}

/** Records the values read from a source: below a `WorldState`, exactly those an execution depends on. */
export class RecordedReads extends LayeredState {
  /** By address, 40 lowercase hex digits. */
  readonly accounts = new Map<string, AccountRecord>();
  /** By {@link slotHex}. */
  readonly slots = new Map<string, ReadSlot>();
  readonly #budget: TraceBudget;

  constructor(source: StateSource, budget = new TraceBudget(Number.POSITIVE_INFINITY)) {
    super(source);
    this.#budget = budget;
  }

  override account(address: string): AccountEntry {
    const entry = this.source.account(address);
    if (!this.accounts.has(address) && this.#budget.take(ACCOUNT_BYTES)) {
      this.accounts.set(address, entry.record);
    }
    return entry;
  }

  override slot(contract: Uint8Array, slot: Uint8Array, known?: string): StateEntry {
    const entry = this.source.slot(contract, slot, known);
    const name = slotHex(contract, slot);
    if (!this.slots.has(name)) {
      const value = entry.raw === undefined ? undefined : valueOfRaw(entry.raw);
      if (this.#budget.take(SLOT_BYTES + 2 * (value?.length ?? 0))) {
        this.slots.set(name, { contract, slot, value });
      }
    }
    return entry;
  }
}

/**
 * Returns the JSON of an execution's reads as overrides, ascending by address: with them, the same call has the same
 * result. Includes code that did not run: it decides the gas of a payment, and how a call is refused.
 */
export function prestateJson(reads: RecordedReads, budget: TraceBudget): string {
  const slots = slotsByContract(reads);
  const names = [...new Set([...reads.accounts.keys(), ...slots.keys()])].sort();
  const entries: string[] = [];
  for (const name of names) {
    const text = rpcTypes.StateOverride.toJson(overrideOf(name, reads, slots));
    if (!budget.take(text.length + 1)) break;
    entries.push(text);
  }
  return `[${entries.join(',')}]`;
}

type Slots = NonNullable<StateOverride['slots']>;

function slotsByContract(reads: RecordedReads): ReadonlyMap<string, Slots> {
  const found = new Map<string, Slots[number][]>();
  for (const { contract, slot, value } of reads.slots.values()) {
    addTo(found, toHex(contract), { slot, ...(value === undefined ? {} : { value }) });
  }
  for (const slots of found.values()) slots.sort((a, b) => Buffer.compare(a.slot, b.slot));
  return found;
}

function overrideOf(name: string, reads: RecordedReads, slots: ReadonlyMap<string, Slots>): StateOverride {
  const address = fromHex(name, 0);
  if (address === undefined) throw new TypeError(`expected an address in hex, got ${name}`);
  const account = reads.accounts.get(name);
  const codeHash = account?.contract?.code_hash;
  const code = codeHash === undefined ? undefined : reads.code(codeHash);
  return { address, ...defined({ balance: account?.balance, code, slots: slots.get(name) }) };
}

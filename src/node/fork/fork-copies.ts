import type { Chain } from '../../chain/chain.js';
import type { CopyingParent, PreparedCopies, StateCopies } from '../../chain/state-copies.js';
import type { Branch } from '../../execution/pending-writes.js';
import type { AccountRecord, DevChange } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { DEV_CONTROLLER_ADDRESS } from '../../ledger/dev-controls.js';
import { copyMarkKey, forkedRaw, storedBlob } from '../../ledger/forked-state.js';
import { addressHex } from '../../ledger/hex-types.js';
import { nextNonce } from '../../ledger/lanes.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import { ADDRESS_NAME_BYTES } from '../../ledger/state-names.js';
import { latin1 } from '../../storage/latin1.js';
import type { StoreReader } from '../../storage/store.js';
import { type ControlParts, controlTransaction } from '../dev/control-transaction.js';
import { divideChanges } from '../dev/divide-changes.js';
import type { ForkThread } from './fork-thread.js';

/** The development controller's lane for copies, apart from controls that wait for the same block. */
const COPY_LANE = 1;
const CONTROLLER = addressHex(DEV_CONTROLLER_ADDRESS);

export interface ForkCopiesOptions extends ControlParts {
  readonly thread: Pick<ForkThread, 'hide' | 'missed'>;
  readonly store: StoreReader;
  readonly accounts: Pick<Chain['accounts'], 'account'>;
  /** Accounts that the fork has funded; a copy does not lower their balances. */
  readonly funded: ReadonlyMap<string, bigint>;
}

type ForkedAccount = Extract<DevChange, { readonly type: 'forked_account' }>['value'];

interface Missing {
  readonly name: Uint8Array;
  /** The state key of its mark. */
  readonly mark: Uint8Array;
}

/** Copies state of the forked chain by development controls. */
export class ForkCopies implements StateCopies {
  readonly #options: ForkCopiesOptions;
  /** By name as Latin-1, until their copies are committed. */
  readonly #missing = new Map<string, Missing>();

  constructor(options: ForkCopiesOptions) {
    this.#options = options;
  }

  /** Requests a copy of a name in the next block. */
  want(name: Uint8Array): void {
    const { crypto } = this.#options;
    this.#missing.set(latin1(name), { name, mark: copyMarkKey(crypto, keyOf(name, crypto)) });
  }

  /** Requests copies of the names that only the forked chain has. @returns whether there are any */
  wantAll(names: readonly Uint8Array[]): boolean {
    const { crypto, store } = this.#options;
    const wanted = names.filter(
      (name) => forkedRaw(store, crypto, { name, key: keyOf(name, crypto) }, 'show') !== undefined,
    );
    for (const name of wanted) this.want(name);
    return wanted.length > 0;
  }

  async prepare({ header, branch }: CopyingParent): Promise<PreparedCopies> {
    // Predictions and dropped proposals have missed names too. One that is not copied now would not count as missed again.
    await this.hasMissed();
    const names = this.#uncopied(branch);
    await this.#options.thread.hide(names);
    const [changes, ...more] = divideChanges(names.flatMap((name) => this.#changes(name)));
    if (changes === undefined) return { transactions: [], isPartial: false };
    const hasCode = changes.some(({ type, value }) => type === 'forked_account' && value.code !== undefined);
    const transaction = await controlTransaction(this.#options, header, {
      changes,
      // Code costs at most what its deployment did; other changes cost nothing, and leave room for controls.
      gasLimit: hasCode ? header.gas_limit : (header.gas_limit * 3n) / 4n,
      lane: COPY_LANE,
      nonce: this.#nonce(branch),
    });
    return { transactions: [transaction], isPartial: more.length > 0 };
  }

  async hasMissed(): Promise<boolean> {
    const { size } = this.#missing;
    for (const name of await this.#options.thread.missed()) this.want(name);
    return this.#missing.size > size;
  }

  /** The missing names that no block of the branch copies. Forgets those whose copies are committed. */
  #uncopied(branch: Branch): readonly Uint8Array[] {
    const names: Uint8Array[] = [];
    for (const [text, { name, mark }] of this.#missing) {
      if (this.#options.store.get('state', mark) !== undefined) this.#missing.delete(text);
      else if (!branch.some(({ writes }) => writes.entries.has(latin1(mark)))) names.push(name);
    }
    return names;
  }

  #nonce(branch: Branch): bigint {
    let record: AccountRecord | undefined;
    for (const { writes } of branch) record = writes.accounts.get(CONTROLLER)?.record ?? record;
    return nextNonce(record ?? this.#options.accounts.account(CONTROLLER), COPY_LANE);
  }

  #changes(name: Uint8Array): DevChange[] {
    const { store } = this.#options;
    const value = store.base?.value(name, 'show');
    if (value === undefined) return [];
    const address = name.subarray(0, ADDRESS_NAME_BYTES);
    if (name.length > ADDRESS_NAME_BYTES) {
      const slots = [{ slot: name.subarray(ADDRESS_NAME_BYTES), value }];
      return [{ type: 'forked_slots', value: { contract: address, slots } }];
    }
    return [{ type: 'forked_account', value: this.#account(address, ledger.AccountRecord.decode(value)) }];
  }

  #account(address: Uint8Array, record: AccountRecord): ForkedAccount {
    const { store, funded } = this.#options;
    const least = funded.get(addressHex(address)) ?? 0n;
    const balance = record.balance > least ? record.balance : least;
    const { contract } = record;
    if (contract === undefined) return { address, account: { ...record, balance } };
    const code = storedBlob(store, 'code', contract.code_hash);
    const idl = contract.idl_hash === undefined ? undefined : storedBlob(store, 'idl', contract.idl_hash);
    // The code of a pending upgrade cannot be read before it takes effect.
    const { pending_upgrade: _, ...rest } = contract;
    return {
      address,
      account: { ...record, balance, contract: rest },
      ...(code === undefined ? {} : { code }),
      ...(idl === undefined ? {} : { idl: new TextDecoder().decode(idl) }),
    };
  }
}

function keyOf(name: Uint8Array, crypto: ControlParts['crypto']): Uint8Array {
  const address = name.subarray(0, ADDRESS_NAME_BYTES);
  return name.length === ADDRESS_NAME_BYTES
    ? accountKey(crypto, address)
    : slotKey(crypto, address, name.subarray(ADDRESS_NAME_BYTES));
}

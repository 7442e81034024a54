// What the chain's rules make of balances and nonces, replayed from the genesis allocation. Transfers are modelled; of
// anything else only failures, which change nothing but nonce and fee.
import { hex, unhex } from './bytes.js';
import { AccountRecord, type SignedTransaction } from './ledger-shapes.js';
import { encode } from './shapes.js';
import { accountKey, stateRoot } from './trees.js';

interface ModelAccount {
  balance: bigint;
  readonly lanes: Map<number, bigint>;
}

export interface ReplayedReceipt {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly fee: bigint;
}

export class LedgerModel {
  readonly #accounts = new Map<string, ModelAccount>();
  /** Keys never change; hashing them once keeps long audits short. */
  readonly #keys = new Map<string, Uint8Array>();
  #burned = 0n;

  constructor(allocation: Iterable<readonly [address: Uint8Array, balance: bigint]>) {
    for (const [address, balance] of allocation) this.#account(hex(address)).balance += balance;
  }

  get burned(): bigint {
    return this.#burned;
  }

  addresses(): readonly Uint8Array[] {
    return [...this.#accounts.keys()].map(unhex);
  }

  balance(address: Uint8Array): bigint {
    return this.#accounts.get(hex(address))?.balance ?? 0n;
  }

  lanes(address: Uint8Array): readonly (readonly [lane: number, nextNonce: bigint])[] {
    return [...(this.#accounts.get(hex(address))?.lanes ?? [])].sort(([a], [b]) => a - b);
  }

  nextNonce(address: Uint8Array, lane: number): bigint {
    return this.#accounts.get(hex(address))?.lanes.get(lane) ?? 0n;
  }

  /** Sum of all balances. */
  total(): bigint {
    return [...this.#accounts.values()].reduce((sum, account) => sum + account.balance, 0n);
  }

  /**
   * Applies one included transaction; the proposer's part of the fee is returned, because it is paid at the end of the
   * block.
   */
  apply(signed: SignedTransaction, receipt: ReplayedReceipt, baseFee: bigint): bigint {
    const { transaction } = signed;
    const sender = this.#account(hex(transaction.sender));
    const expectedNonce = sender.lanes.get(transaction.lane) ?? 0n;
    if (transaction.nonce !== expectedNonce) {
      throw new Error(
        `lane ${transaction.lane}: nonce ${transaction.nonce} where ${expectedNonce} was expected`,
      );
    }
    if (transaction.max_fee < baseFee)
      throw new Error(`max_fee ${transaction.max_fee} below the base fee ${baseFee}`);
    const room = transaction.max_fee - baseFee;
    let tip = transaction.priority_fee;
    if (tip > room) tip = room;
    if (receipt.fee !== receipt.gasUsed * (baseFee + tip)) {
      throw new Error(`fee ${receipt.fee}, expected ${receipt.gasUsed} × (${baseFee} + ${tip})`);
    }
    if (receipt.gasUsed > transaction.gas_limit || receipt.gasUsed === 0n) {
      throw new Error(`gas ${receipt.gasUsed} of a limit of ${transaction.gas_limit}`);
    }
    sender.lanes.set(transaction.lane, transaction.nonce + 1n);
    sender.balance -= receipt.fee;
    if (receipt.success) {
      const { action } = transaction;
      if (action.type === 'transfer') {
        sender.balance -= action.value.amount;
        this.#account(hex(action.value.to)).balance += action.value.amount;
      } else if (action.type !== 'batch' || action.value.length > 0) {
        throw new Error(`a ${action.type} that succeeds is beyond this model`);
      }
    }
    if (sender.balance < 0n) throw new Error(`a balance of ${sender.balance}`);
    this.#burned += receipt.gasUsed * baseFee;
    return receipt.gasUsed * tip;
  }

  credit(address: Uint8Array, amount: bigint): void {
    if (amount > 0n) this.#account(hex(address)).balance += amount;
  }

  /** The root over every account that is not all zero. */
  root(): Uint8Array {
    const leaves: { key: Uint8Array; value: Uint8Array }[] = [];
    for (const [address, account] of this.#accounts) {
      if (account.balance === 0n && account.lanes.size === 0) continue;
      const lanes = [...account.lanes]
        .sort(([a], [b]) => a - b)
        .map(([lane, next_nonce]) => ({ lane, next_nonce }));
      const value = encode(AccountRecord, {
        balance: account.balance,
        lanes,
        deploy_index: 0n,
        contract: undefined,
      });
      leaves.push({ key: this.#key(address), value });
    }
    return stateRoot(leaves);
  }

  #account(address: string): ModelAccount {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const fresh: ModelAccount = { balance: 0n, lanes: new Map() };
    this.#accounts.set(address, fresh);
    return fresh;
  }

  #key(address: string): Uint8Array {
    const known = this.#keys.get(address);
    if (known !== undefined) return known;
    const key = accountKey(unhex(address));
    this.#keys.set(address, key);
    return key;
  }
}

// Replays balances, nonces and counters from the genesis allocation by the chain's rules. The model covers transfers,
// and deployments and calls of the counter contract. Any other action must fail, which changes only nonce and fee.
import { hex, sha256, unhex } from './bytes.js';
import { contractAddress, isCounter, le64, runCounter } from './counter-contract.js';
import {
  AccountRecord,
  type ContractRecord,
  LedgerReceipt,
  type SignedTransaction,
  type Transaction,
} from './ledger-shapes.js';
import { encode, type ValueOf } from './shapes.js';
import { accountKey, type StateLeaf, slotKey, stateRoot } from './trees.js';

interface ModelAccount {
  balance: bigint;
  readonly lanes: Map<number, bigint>;
  deployIndex: bigint;
  contract: ValueOf<typeof ContractRecord> | undefined;
  /** Storage of a counter with a nonzero count. */
  count: bigint | undefined;
}

type Action = Transaction['action'];
type Deploy = Extract<Action, { type: 'deploy' }>['value'];
type Call = Extract<Action, { type: 'call' }>['value'];

/** The expected effect of an action, computed before applying it. */
interface Effect {
  readonly outcome: LedgerReceipt['outcome']['type'];
  readonly output: Uint8Array;
  readonly contract?: Uint8Array;
  readonly logs: LedgerReceipt['logs'];
  apply(): void;
}

const NOTHING = new Uint8Array();

export class LedgerModel {
  readonly #accounts = new Map<string, ModelAccount>();
  /** Key hashes, cached because keys never change and audits are long. */
  readonly #keys = new Map<string, Uint8Array>();
  #burned = 0n;
  /** borsh(ValidatorSet) of the epoch. */
  validators: Uint8Array = NOTHING;

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

  /** Number of deployments of an account. */
  deployIndex(address: Uint8Array): bigint {
    return this.#accounts.get(hex(address))?.deployIndex ?? 0n;
  }

  isContract(address: Uint8Array): boolean {
    return this.#accounts.get(hex(address))?.contract !== undefined;
  }

  nextNonce(address: Uint8Array, lane: number): bigint {
    return this.#accounts.get(hex(address))?.lanes.get(lane) ?? 0n;
  }

  /** Sum of all balances. */
  total(): bigint {
    return [...this.#accounts.values()].reduce((sum, account) => sum + account.balance, 0n);
  }

  /**
   * Applies one included transaction; returns the proposer's part of the fee, because it is paid at the end of the
   * block.
   */
  apply(signed: SignedTransaction, receipt: LedgerReceipt, height: bigint, baseFee: bigint): bigint {
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
    const gasUsed = receipt.gas_used;
    if (receipt.fee !== gasUsed * (baseFee + tip)) {
      throw new Error(`fee ${receipt.fee}, expected ${gasUsed} × (${baseFee} + ${tip})`);
    }
    if (gasUsed > transaction.gas_limit || gasUsed === 0n) {
      throw new Error(`gas ${gasUsed} of a limit of ${transaction.gas_limit}`);
    }
    sender.lanes.set(transaction.lane, transaction.nonce + 1n);
    sender.balance -= receipt.fee;
    if (receipt.outcome.type !== 'out_of_gas') this.#act(transaction, receipt, height);
    if (sender.balance < 0n) throw new Error(`a balance of ${sender.balance}`);
    this.#burned += gasUsed * baseFee;
    return gasUsed * tip;
  }

  /** Compares the receipt with the expected outcome of the action, then applies it. */
  #act({ action, sender }: Transaction, receipt: LedgerReceipt, height: bigint): void {
    const effect = this.#effect(action, sender, height);
    if (effect === undefined) {
      if (receipt.outcome.type === 'success') {
        throw new Error(`a ${action.type} that succeeds is beyond this model`);
      }
      return;
    }
    const told = { ...receipt, outcome: { type: effect.outcome, value: null } };
    const expected = { ...told, contract: effect.contract, output: effect.output, logs: effect.logs };
    if (hex(encode(LedgerReceipt, receipt)) !== hex(encode(LedgerReceipt, expected))) {
      throw new Error(
        `a ${action.type} ended with ${receipt.outcome.type}, expected ${effect.outcome}; or it told otherwise`,
      );
    }
    if (effect.outcome === 'success') effect.apply();
  }

  /** The expected effect, or undefined if not modelled. */
  #effect(action: Action, sender: Uint8Array, height: bigint): Effect | undefined {
    switch (action.type) {
      case 'transfer': {
        const { to, amount } = action.value;
        if (amount > this.balance(sender)) return undefined;
        return success({ output: NOTHING, logs: [] }, () => this.#move(sender, to, amount));
      }
      case 'deploy':
        return this.#deployment(action.value, sender, height);
      case 'call':
        return this.#calls([action.value], sender);
      case 'batch':
        return this.#calls(action.value, sender);
      case 'upgrade':
        return undefined;
    }
  }

  #deployment(deploy: Deploy, sender: Uint8Array, height: bigint): Effect | undefined {
    if (!isCounter(deploy.code) || deploy.input.length > 0 || deploy.value > 0n) return undefined;
    const deployer = this.#account(hex(sender));
    const contract = contractAddress(sender, deployer.deployIndex);
    return success({ output: NOTHING, logs: [], contract }, () => {
      deployer.deployIndex += 1n;
      this.#account(hex(contract)).contract = {
        vm: deploy.vm,
        code_hash: sha256(deploy.code),
        code_size: deploy.code.length,
        idl_hash: undefined,
        abi_version: deploy.abi_version,
        upgrade_policy: deploy.upgrade_policy,
        deployer: sender,
        deployed_at: height,
        pending_upgrade: undefined,
      };
    });
  }

  /** The effect of calls that succeed or fail together; the last call gives the output. */
  #calls(calls: readonly Call[], sender: Uint8Array): Effect | undefined {
    const counts = new Map<string, bigint>();
    const logs: LedgerReceipt['logs'][number][] = [];
    let output: Uint8Array = NOTHING;
    let spent = 0n;
    for (const { contract, input, value } of calls) {
      spent += value;
      const name = hex(contract);
      const known = this.#accounts.get(name);
      if (known?.contract === undefined || input.length < 12 || spent > this.balance(sender))
        return undefined;
      const answer = runCounter(contract, counts.get(name) ?? known.count ?? 0n, input);
      output = answer.output;
      if (answer.outcome === 'reverted')
        return { outcome: 'reverted', output, logs: [], apply: () => undefined };
      counts.set(name, answer.count);
      logs.push(answer.log);
    }
    return success({ output, logs }, () => {
      for (const [name, count] of counts) this.#account(name).count = count;
      for (const { contract, value } of calls) this.#move(sender, contract, value);
    });
  }

  #move(from: Uint8Array, to: Uint8Array, amount: bigint): void {
    this.#account(hex(from)).balance -= amount;
    this.#account(hex(to)).balance += amount;
  }

  credit(address: Uint8Array, amount: bigint): void {
    if (amount > 0n) this.#account(hex(address)).balance += amount;
  }

  root(): Uint8Array {
    return stateRoot(this.leaves());
  }

  /** Every account that is not all zero, and every slot. */
  leaves(): StateLeaf[] {
    const leaves: StateLeaf[] = [{ key: sha256(Uint8Array.of(2, 0)), value: this.validators }];
    for (const [address, account] of this.#accounts) {
      if (isZero(account)) continue;
      const lanes = [...account.lanes]
        .sort(([a], [b]) => a - b)
        .map(([lane, next_nonce]) => ({ lane, next_nonce }));
      const value = encode(AccountRecord, {
        balance: account.balance,
        lanes,
        deploy_index: account.deployIndex,
        contract: account.contract,
      });
      leaves.push({ key: this.#key(address), value });
      if (account.count !== undefined) {
        leaves.push({ key: slotKey(unhex(address), new Uint8Array(32)), value: le64(account.count) });
      }
    }
    return leaves;
  }

  #account(address: string): ModelAccount {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const fresh: ModelAccount = {
      balance: 0n,
      lanes: new Map(),
      deployIndex: 0n,
      contract: undefined,
      count: undefined,
    };
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

function isZero({ balance, lanes, deployIndex, contract }: ModelAccount): boolean {
  return balance === 0n && lanes.size === 0 && deployIndex === 0n && contract === undefined;
}

function success(told: Omit<Effect, 'outcome' | 'apply'>, apply: () => void): Effect {
  return { outcome: 'success', ...told, apply };
}

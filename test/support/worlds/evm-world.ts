import { contractAddress } from '../../../src/crypto/address.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { ExecutedBlock } from '../../../src/execution/block-execution.js';
import type { Action, ContractRecord, LedgerReceipt } from '../../../src/generated/ledger.js';
import { decodeStoredReceipt, type StoredReceipt } from '../../../src/ledger/stored-receipt.js';
import { BlockWorld, blockMachine, hexOf, MemoryState, numbered, unsigned } from './block-world.js';
import { TinyEngine, wordOf } from './tiny-engine.js';

export const SENDER = numbered(1);

/** The result of a block with a single transaction. */
export interface Ended {
  readonly block: ExecutedBlock;
  readonly receipt: LedgerReceipt;
  readonly details: StoredReceipt['details'];
}

/** A chain with wasm, and with the tiny engine for VmType `evm`. */
export class EvmWorld {
  readonly chain: BlockWorld;

  private constructor(chain: BlockWorld) {
    this.chain = chain;
    chain.state.fund(SENDER, 10n ** 24n);
  }

  static async open(): Promise<EvmWorld> {
    const crypto = await loadCrypto('auto');
    const machine = await blockMachine(crypto, undefined, { evm: new TinyEngine() });
    const world = new EvmWorld(new BlockWorld(crypto, machine, new MemoryState(crypto)));
    // Opens the sender's lane, so that equal transactions cost the same from here on.
    world.try({ type: 'transfer', value: { to: SENDER, amount: 0n } });
    return world;
  }

  /** Executes an action in a separate block, with any outcome. */
  try(action: Action, gas = 10_000_000n): Ended {
    const { chain } = this;
    const nonce = chain.nonce(SENDER);
    const transaction = unsigned(chain.crypto, SENDER, nonce, action, { gas });
    const block = chain.serially({ transactions: [transaction], bundles: [] });
    const [stored] = block.storedReceipts;
    if (stored === undefined) throw new Error(`left out: ${block.excluded[0]?.problem}`);
    const { receipt, details } = decodeStoredReceipt(stored);
    chain.commit(block);
    return { block, receipt, details };
  }

  /** Deploys init code. Returns the contract's address. */
  deploy(init: Uint8Array, value = 0n): Uint8Array {
    const { deploy_index } = this.chain.state.account(hexOf(SENDER)).record;
    const { receipt, details } = this.try(evmDeployment(init, value));
    if (receipt.outcome.type !== 'success') throw new Error(`${receipt.outcome.type}: ${details.message}`);
    return contractAddress(this.chain.crypto, SENDER, deploy_index);
  }

  call(contract: Uint8Array, { input = 0n, value = 0n, gas = 10_000_000n } = {}): Ended {
    return this.try({ type: 'call', value: { contract, input: wordOf(input), value } }, gas);
  }

  /** The word that a call returns. */
  word(contract: Uint8Array, input = 0n): bigint {
    const { receipt, details } = this.call(contract, { input });
    if (receipt.outcome.type !== 'success') throw new Error(`${receipt.outcome.type}: ${details.message}`);
    return BigInt(`0x${hexOf(receipt.output)}`);
  }

  slot(contract: Uint8Array, slot: bigint): bigint {
    const { raw } = this.chain.state.slot(contract, wordOf(slot));
    return raw === undefined ? 0n : BigInt(`0x${hexOf(raw.subarray(8))}`);
  }

  contract(address: Uint8Array): ContractRecord | undefined {
    return this.chain.state.account(hexOf(address)).record.contract;
  }

  balance(address: Uint8Array): bigint {
    return this.chain.state.account(hexOf(address)).record.balance;
  }

  /** The address of the contract that `creator` creates as its `index`-th. */
  made(creator: Uint8Array, index = 0n): Uint8Array {
    return contractAddress(this.chain.crypto, creator, index);
  }
}

export function evmDeployment(code: Uint8Array, value = 0n, input: Uint8Array = new Uint8Array(0)): Action {
  return {
    type: 'deploy',
    value: { vm: { type: 'evm' }, code, abi_version: 0, upgrade_policy: { type: 'immutable' }, input, value },
  };
}

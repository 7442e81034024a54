import { createHash } from 'node:crypto';
import { contractAddress } from '../../../src/crypto/address.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { atomicGroupsOf, type Candidates } from '../../../src/execution/atomic-groups.js';
import type { BlockEnvironment } from '../../../src/execution/block-environment.js';
import { BlockExecution, type ExecutedBlock } from '../../../src/execution/block-execution.js';
import { ContractMachine } from '../../../src/execution/contract-machine.js';
import type { AccountEntry, StateEntry, StateSource } from '../../../src/execution/state-source.js';
import type { Action, SignedTransaction } from '../../../src/generated/ledger.js';
import { EMPTY_ACCOUNT } from '../../../src/ledger/accounts.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { nextNonce } from '../../../src/ledger/lanes.js';
import { accountKey, recordKey, slotKey } from '../../../src/ledger/state-keys.js';
import { transactionFromSigned, type VerifiedTransaction } from '../../../src/ledger/transaction-envelope.js';
import { be64 } from '../../../src/storage/big-endian.js';
import { valueOfRaw } from '../../../src/storage/state.js';
import type { Engine } from '../../../src/vm/engine.js';
import { EngineRegistry } from '../../../src/vm/engine-registry.js';
import { createHostCrypto } from '../../../src/vm/host-crypto.js';
import type { EngineLimits } from '../../../src/vm/wasm/engine-limits.js';
import { WasmEngine } from '../../../src/vm/wasm/wasm-engine.js';
import { deployAction } from '../contracts/deploy-action.js';
import { asVerified } from '../crypto/as-verified.js';
import { contractAbi, contractCode } from './contract-world.js';
import { WORLD_LIMITS } from './vm-world.js';

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** An address derived from a number. */
export function numbered(number: number): Uint8Array {
  return createHash('sha256').update(`account ${number}`).digest().subarray(0, 20);
}

/** A state in memory, by state key. */
export class MemoryState implements StateSource {
  readonly #entries: Map<string, Uint8Array>;
  readonly #codes: Map<string, Uint8Array>;
  readonly #crypto: Pick<Crypto, 'sha256'>;

  constructor(crypto: Pick<Crypto, 'sha256'>, base?: MemoryState) {
    this.#crypto = crypto;
    this.#entries = new Map(base === undefined ? [] : base.#entries);
    this.#codes = new Map(base === undefined ? [] : base.#codes);
  }

  account(address: string): AccountEntry {
    const key = accountKey(this.#crypto, Buffer.from(address, 'hex'));
    const raw = this.#entries.get(hexOf(key));
    return {
      key,
      raw,
      record: raw === undefined ? EMPTY_ACCOUNT : ledger.AccountRecord.decode(valueOfRaw(raw)),
    };
  }

  slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    const key = slotKey(this.#crypto, contract, slot);
    return { key, raw: this.#entries.get(hexOf(key)) };
  }

  record(name: Uint8Array): StateEntry {
    const key = recordKey(this.#crypto, name);
    return { key, raw: this.#entries.get(hexOf(key)) };
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#codes.get(hexOf(hash));
  }

  *entries(): IterableIterator<{ readonly key: Uint8Array; readonly value: Uint8Array }> {
    for (const [key, raw] of this.#entries) yield { key: Buffer.from(key, 'hex'), value: valueOfRaw(raw) };
  }

  *allCode(): IterableIterator<{ readonly hash: Uint8Array; readonly bytes: Uint8Array }> {
    for (const [hash, bytes] of this.#codes) yield { hash: Buffer.from(hash, 'hex'), bytes };
  }

  fund(address: Uint8Array, balance: bigint): void {
    const { key, record } = this.account(hexOf(address));
    this.#put(key, 0n, ledger.AccountRecord.encode({ ...record, balance }));
  }

  apply(height: bigint, { writes, codes }: Pick<ExecutedBlock, 'writes' | 'codes'>): void {
    for (const { key, value } of writes) {
      if (value === undefined) this.#entries.delete(hexOf(key));
      else this.#put(key, height, value);
    }
    for (const { hash, bytes } of codes) this.#codes.set(hexOf(hash), bytes);
  }

  #put(key: Uint8Array, height: bigint, value: Uint8Array): void {
    this.#entries.set(hexOf(key), Buffer.concat([be64(height), value]));
  }
}

/** The full result of executing a block, as text. */
export function textOfBlock(block: ExecutedBlock): string {
  const { parallel: _, codes, ...rest } = block;
  const plain = {
    ...rest,
    // Prepared code is not part of the block.
    codes: codes.map(({ hash, bytes }) => ({ hash, bytes })),
    involved: [...block.contractTransactions],
  };
  return JSON.stringify(
    plain,
    (_name, value: unknown) => {
      if (value instanceof Uint8Array) return hexOf(value);
      if (typeof value === 'bigint') return `${value}n`;
      if (
        typeof value === 'object' &&
        value !== null &&
        'type' in value &&
        value.type === 'Buffer' &&
        'data' in value
      ) {
        return Buffer.from(value.data as number[]).toString('hex');
      }
      return value;
    },
    1,
  );
}

/** The hash of a block that a test world treats as committed. */
export function testBlockHash(crypto: Pick<Crypto, 'sha256'>, height: bigint): Uint8Array {
  return crypto.sha256(be64(height));
}

export async function blockMachine(
  crypto: Crypto,
  limits: EngineLimits = WORLD_LIMITS,
  others: { readonly evm?: Engine } = {},
): Promise<ContractMachine> {
  const engine = new WasmEngine({ crypto: createHostCrypto(crypto, await loadBls('auto')), limits });
  return new ContractMachine({
    engines: new EngineRegistry({ ...others, wasm: engine }),
    crypto,
    prepared: () => undefined,
    committedHash: (height) => testBlockHash(crypto, height),
  });
}

export interface TransactionOptions {
  readonly lane?: number;
  readonly gas?: bigint;
  readonly maxFee?: bigint;
  readonly priorityFee?: bigint;
  readonly validUntil?: bigint;
}

/** A transaction with an unchecked signature. */
export function unsigned(
  crypto: Pick<Crypto, 'sha256'>,
  sender: Uint8Array,
  nonce: bigint,
  action: Action,
  { lane = 0, gas = 2_000_000n, maxFee = 100n, priorityFee = 3n, validUntil }: TransactionOptions = {},
): VerifiedTransaction {
  const signed: SignedTransaction = {
    transaction: {
      chain_id: 1n,
      sender,
      lane,
      nonce,
      gas_limit: gas,
      max_fee: maxFee,
      priority_fee: priorityFee,
      ...(validUntil === undefined ? {} : { valid_until: validUntil }),
      action,
    },
    signature: { type: 'ed25519', value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) } },
  };
  return asVerified(transactionFromSigned(signed, crypto));
}

/** A chain's state in this thread, with serial execution of blocks on it. */
export class BlockWorld {
  readonly crypto: Crypto;
  readonly machine: ContractMachine;
  readonly state: MemoryState;
  height: bigint;

  constructor(crypto: Crypto, machine: ContractMachine, state: MemoryState, height = 1n) {
    this.crypto = crypto;
    this.machine = machine;
    this.state = state;
    this.height = height;
  }

  static async open(limits?: EngineLimits): Promise<BlockWorld> {
    const crypto = await loadCrypto('auto');
    return new BlockWorld(crypto, await blockMachine(crypto, limits), new MemoryState(crypto));
  }

  /** A copy of the world, whose blocks do not affect this one. */
  fork(): BlockWorld {
    return new BlockWorld(this.crypto, this.machine, new MemoryState(this.crypto, this.state), this.height);
  }

  /** Whether development controls take effect. */
  isDevelopment = false;

  /** Gas limit of a block; by default large enough for everything. */
  gasLimit = 10n ** 12n;

  env(): BlockEnvironment {
    return {
      chainId: 1n,
      height: this.height,
      timestampMs: 1_700_000_000_000n + 1_000n * this.height,
      baseFee: 7n,
      slotPrice: 2_000_000n,
      gasLimit: this.gasLimit,
      proposer: hexOf(numbered(0xffff)),
      ...(this.isDevelopment ? { isDevelopment: true } : {}),
    };
  }

  /** Executes candidates one after another. */
  serially(candidates: Candidates<VerifiedTransaction>, source: StateSource = this.state): ExecutedBlock {
    const execution = new BlockExecution(this.env(), source, this.machine);
    for (const unit of atomicGroupsOf(candidates)) execution.add(unit);
    return execution.finish();
  }

  commit(block: ExecutedBlock): void {
    this.state.apply(this.height, block);
    this.height += 1n;
  }

  nonce(of: Uint8Array, lane = 0): bigint {
    return nextNonce(this.state.account(hexOf(of)).record, lane);
  }

  /** Executes one transaction in a separate block. */
  do(sender: Uint8Array, action: Action, options: TransactionOptions = {}): ExecutedBlock {
    const nonce = this.nonce(sender, options.lane);
    const transaction = unsigned(this.crypto, sender, nonce, action, { gas: 500_000_000n, ...options });
    const block = this.serially({ transactions: [transaction], bundles: [] });
    const receipt = ledger.LedgerReceipt.decode(block.receipts[0] ?? new Uint8Array(0));
    if (receipt.outcome.type !== 'success') {
      throw new Error(
        `${action.type}: ${receipt.outcome.type} ${Buffer.from(receipt.output).toString('latin1')}`,
      );
    }
    this.commit(block);
    return block;
  }

  /** Deploys code. Returns the contract's address. */
  deploy(
    sender: Uint8Array,
    code: Uint8Array,
    { input = new Uint8Array(0), value = 0n }: { readonly input?: Uint8Array; readonly value?: bigint } = {},
  ): Uint8Array {
    const { deploy_index } = this.state.account(hexOf(sender)).record;
    this.do(sender, deployment(code, input, value, sender));
    return contractAddress(this.crypto, sender, deploy_index);
  }

  /** Deploys one of the examples. */
  example(sender: Uint8Array, name: string, args?: unknown): Uint8Array {
    const input = args === undefined ? {} : { input: contractAbi(name).function('init').encodeCall(args) };
    return this.deploy(sender, contractCode(name), input);
  }
}

export function deployment(
  code: Uint8Array,
  input?: Uint8Array,
  value?: bigint,
  admin: Uint8Array = numbered(0),
): Action {
  return deployAction(code, { input, value, admin });
}

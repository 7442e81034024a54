import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlockExecutor } from '../../src/chain/block-executor.js';
import { packageRoot } from '../../src/config/package-info.js';
import { contractAddress } from '../../src/crypto/address.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { BlockEnvironment } from '../../src/execution/block-environment.js';
import type { ExecutedBlock } from '../../src/execution/block-execution.js';
import { encodeByteStrings } from '../../src/execution/parallel/flat-bytes.js';
import { decodePredictions } from '../../src/execution/parallel/predict.js';
import type { Prediction, Predictions } from '../../src/execution/parallel/predictions.js';
import type { ParallelStatistics } from '../../src/execution/parallel/statistics.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import type { Action, Call } from '../../src/generated/ledger.js';
import { type ContractAbi, compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { AccountCache } from '../../src/ledger/account-cache.js';
import { ledger } from '../../src/ledger/codecs.js';
import { accountKey } from '../../src/ledger/state-keys.js';
import {
  type TransactionEnvelope,
  transactionFromSigned,
  type VerifiedTransaction,
} from '../../src/ledger/transaction-envelope.js';
import { openStore } from '../../src/storage/open-store.js';
import { appendStateChanges } from '../../src/storage/state.js';
import type { Store } from '../../src/storage/store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { deployAction } from '../../test/support/contracts/deploy-action.js';
import { operationsContract } from '../../test/support/contracts/operations-contract.js';
import { asVerified } from '../../test/support/crypto/as-verified.js';
import { text } from '../../test/support/hex.js';
import { quantile } from '../support/statistics.js';

/** Iterations of the compute contract's integer loop that take about a millisecond. */
const ITERATIONS = 620_000;
const CACHED_ACCOUNTS = 50_000;

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const account = (number: number): Uint8Array => sha256(Buffer.from(`bench ${number}`)).subarray(0, 20);
const HOT = receiver(-1);
const OWNER = account(0);

/** Address of a receiver without an account. */
export function receiver(number: number): Uint8Array {
  return sha256(Buffer.from(`to ${number}`)).subarray(0, 20);
}

interface Example {
  readonly code: Uint8Array;
  readonly abi: ContractAbi;
}

function example(name: string): Example {
  const folder = join(packageRoot(), 'contracts', name);
  const path = join(folder, `${name}.idl`);
  const { manifest } = compileIdl([{ name: path, text: readFileSync(path, 'utf8') }]);
  return { code: readFileSync(join(folder, `${name}.wasm`)), abi: compileContract(manifest, sha256) };
}

export interface Execution {
  readonly ms: number;
  readonly cpuMs: number;
  readonly statistics: ParallelStatistics | undefined;
}

/** A block executed serially in one worker and shared by several, alternately. */
export interface Comparison {
  readonly serial: Pick<Execution, 'ms' | 'cpuMs'>;
  readonly shared: Pick<Execution, 'ms' | 'cpuMs'>;
  /** Statistics of the last round. */
  readonly statistics: ParallelStatistics | undefined;
  /** Serial time divided by shared time, round by round. */
  readonly speedUps: readonly number[];
  /** Shared time in milliseconds, round by round. */
  readonly sharedMs: readonly number[];
}

export interface CompareOptions {
  readonly workers: number;
  /** Whether accesses are predicted. */
  readonly foreseen: boolean;
  /** Input of a call of the operations contract that is included after the predictions. */
  readonly before?: Uint8Array;
  readonly rounds: number;
  /** Unmeasured rounds before; the first ones load the contracts in every thread. Default 2. */
  readonly unmeasured?: number;
}

/** A chain with funded accounts, a token that they hold, and contracts that compute; executes blocks of their calls. */
export class ParallelWorld {
  readonly crypto: Crypto;
  readonly #directory: string;
  readonly #store: Store;
  readonly #serialPool: ExecutionPool;
  readonly #accounts: number;
  readonly #token = example('token');
  readonly #compute = example('compute');
  readonly #tokenAt: Uint8Array;
  readonly #computeAt: Uint8Array;
  readonly #operationsAt: Uint8Array;
  #height = 0n;
  #ownerNonce = 0n;

  private constructor(crypto: Crypto, directory: string, store: Store, accounts: number) {
    this.crypto = crypto;
    this.#directory = directory;
    this.#store = store;
    this.#accounts = accounts;
    this.#serialPool = this.newPool(1);
    this.#tokenAt = contractAddress(crypto, OWNER, 0n);
    this.#computeAt = contractAddress(crypto, OWNER, 1n);
    this.#operationsAt = contractAddress(crypto, OWNER, 2n);
  }

  /** @param accounts number of accounts; all but the first hold tokens and may send */
  static async open(accounts: number): Promise<ParallelWorld> {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-parallel-'));
    const crypto = await loadCrypto('auto');
    const store = await openStore({
      directory: join(directory, 'store'),
      native: 'auto',
      report: () => undefined,
      cacheBytes: 64 * 1024 * 1024,
    });
    const world = new ParallelWorld(crypto, directory, store, accounts);
    try {
      await world.#prepare();
    } catch (error) {
      await world.close();
      throw error;
    }
    return world;
  }

  async close(): Promise<void> {
    await this.#serialPool.stop();
    await this.#store.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  newPool(workers: number): ExecutionPool {
    return new ExecutionPool({ setup: { native: 'auto', store: this.#store.handle }, workers });
  }

  /**
   * Batches that compute for about a millisecond and then pay; a share `conflicts` of them, evenly spread, pays the same
   * account.
   */
  computing(calls: number, conflicts: number): VerifiedTransaction[] {
    const count = this.#compute.abi.function('count').encodeCall({ iterations: ITERATIONS });
    return Array.from({ length: calls }, (_, number) =>
      this.#transaction(account(number + 1), 0n, {
        type: 'batch',
        value: [
          { contract: this.#computeAt, input: count, value: 0n },
          this.#tokenTransfer(payee(number, conflicts)),
        ],
      }),
    );
  }

  /** Token transfers of all accounts; a share `conflicts` of them pays the same account. */
  paying(conflicts: number): VerifiedTransaction[] {
    return Array.from({ length: this.#accounts - 1 }, (_, number) =>
      this.#transaction(account(number + 1), 0n, {
        type: 'call',
        value: this.#tokenTransfer(payee(number, conflicts)),
      }),
    );
  }

  /** A call of the operations contract by the account after `number`. */
  operate(number: number, input: Uint8Array, gasLimit?: bigint): VerifiedTransaction {
    return this.#transaction(account(number + 1), 0n, this.#operation(input), gasLimit);
  }

  /** Calls the operations contract in a block without other transactions. */
  async includeOperation(input: Uint8Array): Promise<void> {
    await this.#include([this.#transaction(OWNER, this.#ownerNonce++, this.#operation(input))]);
  }

  /** A transfer by the account after `number`. */
  pay(number: number): VerifiedTransaction {
    return this.#transaction(account(number + 1), 0n, {
      type: 'transfer',
      value: { to: receiver(number), amount: 1n },
    });
  }

  async predict(transactions: readonly VerifiedTransaction[]): Promise<Predictions> {
    const known = new Map<TransactionEnvelope, Prediction>();
    for (let at = 0; at < transactions.length; ) {
      const part = transactions.slice(at, at + 64);
      const input = {
        env: this.#environment(),
        transactions: encodeByteStrings(part.map(({ encoded }) => encoded)),
      };
      const predictions = decodePredictions(await this.#serialPool.run('predict', input));
      for (const [place, prediction] of predictions.entries()) {
        const predicted = part[place];
        if (predicted !== undefined) known.set(predicted, prediction);
      }
      at += Math.max(1, predictions.length);
    }
    return { of: (each) => known.get(each) };
  }

  /** Executes a block in one worker. */
  execute(transactions: readonly VerifiedTransaction[]): Promise<ExecutedBlock> {
    return this.#serial().execute({ env: this.#environment(), branch: [] }, { transactions, bundles: [] });
  }

  /** Executes the same block in one worker, then in the pool. */
  async executeTwice(
    pool: ExecutionPool,
    transactions: readonly VerifiedTransaction[],
    predictions: Predictions,
  ): Promise<{ readonly serial: Execution; readonly shared: Execution }> {
    const accounts = new AccountCache(this.#store, this.crypto, CACHED_ACCOUNTS);
    accounts.prefetch(transactions.map(({ sender }) => sender));
    const serial = await this.#timed(this.#serial(), transactions);
    const shared = new BlockExecutor(accounts, this.#store, this.crypto, pool, {
      workers: pool,
      predictions,
    });
    return { serial, shared: await this.#timed(shared, transactions) };
  }

  async compare(
    transactions: readonly VerifiedTransaction[],
    { workers, foreseen, before, rounds, unmeasured = 2 }: CompareOptions,
  ): Promise<Comparison> {
    const pool = this.newPool(workers);
    try {
      const predictions = foreseen ? await this.predict(transactions) : { of: () => undefined };
      if (before !== undefined) await this.includeOperation(before);
      const both: { readonly serial: Execution; readonly shared: Execution }[] = [];
      for (let round = -unmeasured; round < rounds; round++) {
        const executions = await this.executeTwice(pool, transactions, predictions);
        if (round >= 0) both.push(executions);
      }
      const median = (of: (executions: (typeof both)[number]) => number): number =>
        quantile(both.map(of), 0.5);
      return {
        serial: { ms: median(({ serial }) => serial.ms), cpuMs: median(({ serial }) => serial.cpuMs) },
        shared: { ms: median(({ shared }) => shared.ms), cpuMs: median(({ shared }) => shared.cpuMs) },
        statistics: both.at(-1)?.shared.statistics,
        speedUps: both.map(({ serial, shared }) => serial.ms / shared.ms),
        sharedMs: both.map(({ shared }) => shared.ms),
      };
    } finally {
      await pool.stop();
    }
  }

  #environment(): BlockEnvironment {
    return {
      chainId: 1n,
      height: this.#height + 1n,
      timestampMs: 1_700_000_000_000n,
      baseFee: 1n,
      slotPrice: 2_000_000n,
      gasLimit: 10n ** 13n,
      proposer: 'ee'.repeat(20),
    };
  }

  #operation(input: Uint8Array): Action {
    return { type: 'call', value: { contract: this.#operationsAt, input, value: 0n } };
  }

  #transaction(
    sender: Uint8Array,
    nonce: bigint,
    action: Action,
    gasLimit = 60_000_000n,
  ): VerifiedTransaction {
    const fees = { gas_limit: gasLimit, max_fee: 10n, priority_fee: 1n };
    return asVerified(
      transactionFromSigned(
        {
          transaction: { chain_id: 1n, sender, lane: 0, nonce, ...fees, action },
          signature: {
            type: 'ed25519',
            value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
          },
        },
        this.crypto,
      ),
    );
  }

  #tokenTransfer(to: Uint8Array): Call {
    const input = this.#token.abi.function('transfer').encodeCall({ to: text(to), amount: '3' });
    return { contract: this.#tokenAt, input, value: 0n };
  }

  #serial(): BlockExecutor {
    const accounts = new AccountCache(this.#store, this.crypto, CACHED_ACCOUNTS);
    return new BlockExecutor(accounts, this.#store, this.crypto, this.#serialPool);
  }

  async #timed(executor: BlockExecutor, transactions: readonly VerifiedTransaction[]): Promise<Execution> {
    const cpu = process.cpuUsage();
    const started = performance.now();
    const block = await executor.execute(
      { env: this.#environment(), branch: [] },
      { transactions, bundles: [] },
    );
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    if (block.receipts.length !== transactions.length) throw new Error('transactions were left out');
    return { ms, cpuMs: (user + system) / 1_000, statistics: block.parallel };
  }

  async #prepare(): Promise<void> {
    await this.#fundAccounts();
    const init = this.#token.abi.function('init').encodeCall({
      name: 'Bench',
      symbol: 'BEN',
      decimals: 0,
      supply: '1000000000000',
      owner: text(OWNER),
      minter: text(OWNER),
    });
    await this.#include(
      [
        deployAction(this.#token.code, { input: init }),
        deployAction(this.#compute.code),
        deployAction(operationsContract()),
      ].map((action) => this.#transaction(OWNER, this.#ownerNonce++, action)),
    );
    const gifts = Array.from({ length: this.#accounts - 1 }, (_, number) => {
      const input = this.#token.abi
        .function('transfer')
        .encodeCall({ to: text(account(number + 1)), amount: '1000000' });
      const value = { contract: this.#tokenAt, input, value: 0n };
      return this.#transaction(OWNER, this.#ownerNonce++, { type: 'call', value });
    });
    await this.#include(gifts);
  }

  async #fundAccounts(): Promise<void> {
    const batch = new WriteBatch();
    const record = ledger.AccountRecord.encode({ balance: 10n ** 24n, lanes: [], deploy_index: 0n });
    const changes = Array.from({ length: this.#accounts }, (_, number) => ({
      key: accountKey(this.crypto, account(number)),
      previous: undefined,
      value: record,
    }));
    appendStateChanges(batch, 0n, changes);
    await this.#store.write(batch, { sync: false });
  }

  async #include(transactions: readonly VerifiedTransaction[]): Promise<void> {
    const block = await this.execute(transactions);
    const failed = block.receipts.findIndex(
      (receipt) => ledger.LedgerReceipt.decode(receipt).outcome.type !== 'success',
    );
    if (failed >= 0 || block.excluded.length > 0)
      throw new Error(`transaction ${failed} of the preparation failed`);
    this.#height += 1n;
    const batch = new WriteBatch();
    appendStateChanges(batch, this.#height, block.writes);
    for (const { hash, bytes, prepared } of block.codes) {
      batch.put('code', hash, bytes);
      if (prepared !== undefined) batch.put('prepared', prepared.key, prepared.bytes);
    }
    await this.#store.write(batch, { sync: false });
  }
}

/** The receiver of a payment; a share of the payments, evenly spread over the block, has the same one. */
function payee(number: number, share: number): Uint8Array {
  const isConflicting = Math.floor((number + 1) * share) > Math.floor(number * share);
  return isConflicting ? HOT : receiver(number);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBlock } from '../../src/chain/decode-block.js';
import { timedExecution } from '../../src/chain/executed-candidates.js';
import { finishBlock, nextBlock } from '../../src/chain/next-block.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Action, Genesis, SealedEnvelope, Signature } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { decodeStoredReceipt } from '../../src/ledger/stored-receipt.js';
import {
  envelopeFromSigned,
  sealedEnvelopeHash,
  transactionFromSigned,
  transactionHash,
  type VerifiedTransaction,
} from '../../src/ledger/transaction-envelope.js';
import { asVerified } from '../../test/support/crypto/as-verified.js';
import { type Scheme, testKey } from '../../test/support/crypto/signed-transactions.js';
import { type contextOf, encoded } from '../../test/support/worlds/block-transfer.js';
import { ChainWorld } from '../../test/support/worlds/chain-world.js';

/** Number of accounts per signature scheme. */
export const ACCOUNTS = 1_000;
/** Pause after a garbage collection, in milliseconds. */
const SWEEP_MS = 200;
const BALANCE = 10n ** 30n;
/** Large enough that no block is full and the base fee stays at one. */
const BLOCK_GAS = 10n ** 12n;

/** One of the accounts that the genesis funds. */
export interface PriceAccount extends ReturnType<typeof testKey> {
  readonly scheme: Scheme;
  readonly nonces: Map<number, bigint>;
}

export interface Signing {
  readonly action: Action;
  readonly lane?: number;
  /** 5,000,000 if absent. */
  readonly gasLimit?: bigint;
}

/** Measurement of a block at the follower. */
export interface MeasuredBlock {
  readonly transactions: number;
  readonly gas: number;
  /** CPU time of all threads. */
  readonly nanoseconds: number;
  /** Number of transactions by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Contracts that the block created, 20 bytes each. */
  readonly contracts: readonly Uint8Array[];
}

/** A chain that seals given transactions, and another that follows it. */
export class BlockChainPair {
  readonly accounts: Readonly<Record<Scheme, readonly PriceAccount[]>>;
  readonly #source: ChainWorld;
  readonly #follower: ChainWorld;
  readonly #collect: () => void;

  private constructor(
    accounts: Readonly<Record<Scheme, readonly PriceAccount[]>>,
    source: ChainWorld,
    follower: ChainWorld,
    collect: () => void,
  ) {
    this.accounts = accounts;
    this.#source = source;
    this.#follower = follower;
    this.#collect = collect;
  }

  /** @param collect collects garbage */
  static async open(collect: () => void): Promise<BlockChainPair> {
    const crypto = await loadCrypto('auto');
    const accountsOf = (scheme: Scheme) =>
      Array.from({ length: ACCOUNTS }, (_, number) => ({
        ...testKey(crypto, scheme, number),
        scheme,
        nonces: new Map<number, bigint>(),
      }));
    const accounts = { ed25519: accountsOf('ed25519'), secp256k1: accountsOf('secp256k1') };
    const genesis: Genesis = {
      ...devGenesis(crypto),
      gas_limit: BLOCK_GAS,
      accounts: [...accounts.ed25519, ...accounts.secp256k1].map(({ address }) => ({
        address,
        balance: BALANCE,
      })),
    };
    const source = await ChainWorld.open({ genesis });
    return new BlockChainPair(accounts, source, await ChainWorld.open({ genesis }), collect);
  }

  async close(): Promise<void> {
    await this.#source.remove();
    await this.#follower.remove();
  }

  /** Height of the next block. */
  get height(): bigint {
    return this.#source.chain.tip.header.height + 1n;
  }

  /** A transaction with the account's next nonce. */
  sign(account: PriceAccount, { action, lane = 0, gasLimit = 5_000_000n }: Signing): VerifiedTransaction {
    const { crypto } = this.#source;
    const transaction = {
      ...this.#common(account, lane),
      gas_limit: gasLimit,
      max_fee: 1_000n,
      priority_fee: 1n,
      action,
    };
    const hash = transactionHash(ledger.Transaction.encode(transaction), crypto);
    return asVerified(
      transactionFromSigned({ transaction, signature: this.#signature(account, hash) }, crypto),
    );
  }

  /** An envelope that nobody opens within the bench. */
  envelope(account: PriceAccount, opensAt: bigint, payloadBytes: number): VerifiedTransaction {
    const { crypto } = this.#source;
    const envelope: SealedEnvelope = {
      header: {
        ...this.#common(account, 0),
        gas_limit: 10_000_000n,
        max_fee: 1_000n,
        priority_fee: 1n,
        max_seal_fee: 10n ** 18n,
        opens_at: opensAt,
      },
      u: new Uint8Array(48),
      v: new Uint8Array(32),
      w: new Uint8Array(32),
      payload: new Uint8Array(payloadBytes),
    };
    const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(envelope), crypto);
    return asVerified(envelopeFromSigned({ envelope, signature: this.#signature(account, hash) }, crypto));
  }

  /** Seals transactions as one block, which the follower imports. */
  async add(transactions: readonly VerifiedTransaction[]): Promise<MeasuredBlock> {
    const source = this.#source;
    const parent = source.pending.parent(source.chain.tip.hash);
    if (parent === undefined) throw new Error('the tip is no parent');
    const context = source.context();
    const next = nextBlock(parent, context, context.timestampMs);
    const candidates = { transactions, bundles: [] };
    const outcome = await timedExecution(candidates, () => source.executor.execute(next, candidates));
    const [excluded] = outcome.excluded;
    if (excluded !== undefined) throw new Error(`a transaction cannot be included: ${excluded.problem}`);
    const epochRules = { next: () => Promise.reject(new Error('the bench has as many blocks as an epoch')) };
    const parts = { crypto: source.crypto, proofs: source.roots, pending: source.pending, epochRules };
    const carried = { keys: [], dealings: [], changes: [], complaints: [] };
    const block = source.pending.add(await finishBlock(parts, next, outcome, carried, undefined));
    await source.blockChain.commit(block.hash);
    const nanoseconds = await this.#follow(block);
    const receipts = block.receipts.map((stored) => decodeStoredReceipt(stored).receipt);
    const outcomes: Record<string, number> = {};
    for (const {
      outcome: { type },
    } of receipts)
      outcomes[type] = (outcomes[type] ?? 0) + 1;
    return {
      transactions: transactions.length,
      gas: Number(block.header.gas_used),
      nanoseconds,
      outcomes,
      contracts: receipts.flatMap(({ contract }) => (contract === undefined ? [] : [contract])),
    };
  }

  async #follow(block: Parameters<typeof encoded>[0] & Parameters<typeof contextOf>[0]): Promise<number> {
    const travelling = encoded(block);
    this.#collect();
    // V8 keeps sweeping in other threads, whose time counts too.
    await sleep(SWEEP_MS);
    const start = process.cpuUsage();
    const decoded = await decodeBlock(this.#follower.crypto, travelling);
    if ('verdict' in decoded) throw new Error(`refused: ${decoded.rule}`);
    const blockImport = this.#follower.newImport();
    blockImport.expect(decoded);
    await blockImport.add(decoded, { certificate: undefined, sync: true, onCommitted: () => undefined });
    await blockImport.settled();
    const { user, system } = process.cpuUsage(start);
    return 1_000 * (user + system);
  }

  #common({ address, nonces }: PriceAccount, lane: number) {
    const nonce = nonces.get(lane) ?? 0n;
    nonces.set(lane, nonce + 1n);
    return { chain_id: this.#source.chain.tip.header.chain_id, sender: address, lane, nonce };
  }

  #signature({ scheme, publicKey, secret }: PriceAccount, hash: Uint8Array): Signature {
    const value = { public_key: publicKey, signature: this.#source.crypto[scheme].sign(hash, secret) };
    return { type: scheme, value };
  }
}

// Several validators of one chain in this process, with real chains, journals and signatures, connected by function
// calls.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import type { CoreConfig } from '../../../src/consensus/core/types.js';
import { EvidenceStore } from '../../../src/consensus/shell/evidence-store.js';
import { ConsensusShell } from '../../../src/consensus/shell/shell.js';
import type { ShellOptions } from '../../../src/consensus/shell/shell-context.js';
import {
  ThresholdSignatures,
  type ThresholdSigner,
} from '../../../src/consensus/shell/threshold-signatures.js';
import { VoteJournal } from '../../../src/consensus/shell/vote-journal.js';
import type { Crypto, ThresholdBls } from '../../../src/crypto/crypto.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { SignatureJobRunner } from '../../../src/crypto/threshold/serve-signatures.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import { toHex } from '../../../src/idl/hex.js';
import { BlockReader } from '../../../src/ledger/block-store.js';
import { type DealtChain, dealtChain } from '../crypto/dealt-keys.js';
import { NATIVE_MODES } from '../native-modes.js';
import { ChainWorld, type Sending } from '../worlds/chain-world.js';
import { FakeNetwork } from './fake-network.js';

const [NATIVE = 'auto'] = NATIVE_MODES;
const PATIENCE_MS = 90_000;

/** Signs in this thread. */
function signerOf(bls: ThresholdBls, chain: DealtChain, index: number): ThresholdSigner {
  const manager = new SignatureJobRunner(bls);
  const { validators, quorum, group_public_key: groupPublicKey } = chain.genesis.validator_set;
  const shareKeys = validators.map(({ share_public_key }) => share_public_key);
  const entered = new Set<bigint>();
  const enter = (epoch: bigint) => {
    if (entered.has(epoch)) return;
    entered.add(epoch);
    const own = { index, share: Uint8Array.from(chain.shares[index] ?? new Uint8Array(32)) };
    manager.run({ kind: 'enter', input: { epoch, quorum, groupPublicKey, shareKeys, own } });
  };
  return {
    async sign(epoch, message) {
      enter(epoch);
      return manager.run({ kind: 'sign', input: { epoch, message } }) as Uint8Array;
    },
    async assemble(epoch, message, partials) {
      enter(epoch);
      const input = { epoch, message, partials };
      return manager.run({ kind: 'assemble', input }) as { signature?: Uint8Array; bad: readonly number[] };
    },
    async verify(signature, message, publicKey) {
      return manager.run({ kind: 'verify', input: { signature, message, publicKey } }) as boolean;
    },
  };
}

export interface ValidatorsOptions {
  readonly validators?: number;
  readonly config?: Partial<CoreConfig>;
  readonly genesis?: Partial<Genesis>;
  /** True to start no validators when the world opens. */
  readonly startNone?: boolean;
  /** Wraps a validator's access to its chain or keys. */
  readonly wrap?: (index: number, options: ShellOptions) => ShellOptions;
}

export interface RunningValidator {
  readonly index: number;
  readonly world: ChainWorld;
  readonly shell: ConsensusShell;
  readonly evidence: EvidenceStore;
  readonly signatures: ThresholdSignatures;
}

export class ValidatorsWorld {
  readonly network = new FakeNetwork();
  readonly failures: Error[] = [];
  readonly logged: string[] = [];
  readonly #options: ValidatorsOptions;
  readonly #bls: ThresholdBls;
  readonly dealt: DealtChain;
  readonly #directories: (string | undefined)[] = [];
  readonly #running = new Map<number, RunningValidator>();
  readonly #copies: string[] = [];
  readonly #nonces = new Map<number, bigint>();

  private constructor(
    options: ValidatorsOptions,
    bls: ThresholdBls,
    dealt: DealtChain,
    readonly crypto: Crypto,
  ) {
    this.#options = options;
    this.#bls = bls;
    this.dealt = dealt;
  }

  /** Opens a world with all validators running. */
  static async open(options: ValidatorsOptions = {}): Promise<ValidatorsWorld> {
    const bls = await loadBls(NATIVE);
    const crypto = await loadCrypto(NATIVE);
    const dealt = dealtChain(crypto, bls, options.validators ?? 4, options.genesis);
    const world = new ValidatorsWorld(options, bls, dealt, crypto);
    if (options.startNone !== true) await Promise.all(dealt.shares.map((_, index) => world.start(index)));
    return world;
  }

  get running(): readonly RunningValidator[] {
    return [...this.#running.values()];
  }

  at(index: number): RunningValidator {
    const running = this.#running.get(index);
    if (running === undefined) throw new Error(`validator ${index} does not run`);
    return running;
  }

  async start(index: number): Promise<void> {
    const { genesis, identitySeeds } = this.dealt;
    const world = await ChainWorld.open({ genesis }, this.#directories[index]);
    this.#directories[index] = world.directory;
    const { store, crypto, chain, blockChain, pool } = world;
    const journal = await VoteJournal.open(store, NODE_RUNTIME);
    const evidence = new EvidenceStore(store, (_, signer) => String(signer));
    const signatures = new ThresholdSignatures({
      crypto,
      signer: signerOf(this.#bls, this.dealt, index),
      chainId: genesis.chain_id,
      identitySeed: identitySeeds[index] ?? new Uint8Array(32),
      validatorsAt: (epoch) => chain.validatorsAt(epoch),
      indexIn: () => index,
    });
    const log = (level: string) => (fields: object, message: string) =>
      this.logged.push(`${index} ${level} ${message} ${describe(fields)}`);
    const options: ShellOptions = {
      runtime: NODE_RUNTIME,
      config: {
        epochLength: Number(chain.tip.epochs.parameters.epoch_length),
        deltaMs: 1_000,
        blockTimeMs: 50,
        idleBlockTimeMs: 200,
        sealInstantly: false,
        ...this.#options.config,
      },
      chain: blockChain,
      store,
      blocks: new BlockReader(store),
      crypto,
      pool,
      signatures,
      network: this.network.of(index),
      epochs: {
        enter: async () => ({
          validators: genesis.validator_set.validators.length,
          self: index,
          mayVote: true,
        }),
      },
      journal,
      evidence,
      groupPublicKey: genesis.validator_set.group_public_key,
      onFinal: () => undefined,
      onFailure: (error) => this.failures.push(error),
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    };
    const shell = new ConsensusShell(this.#options.wrap?.(index, options) ?? options);
    this.#running.set(index, { index, world, shell, evidence, signatures });
    shell.start();
    this.network.join(index, shell);
  }

  async stop(index: number): Promise<void> {
    const { shell, world } = this.at(index);
    this.network.leave(index);
    this.#running.delete(index);
    await shell.stop();
    await world.close();
  }

  async restart(index: number): Promise<void> {
    await this.stop(index);
    await this.start(index);
  }

  /** Copies the disk of a stopped validator. */
  async copyOf(index: number): Promise<string> {
    const copy = await mkdtemp(join(tmpdir(), 'heddle-copy-'));
    this.#copies.push(copy);
    await cp(this.#directories[index] ?? '', copy, { recursive: true });
    return copy;
  }

  /** Replaces the disk of a stopped validator with a copy. */
  async restore(index: number, copy: string): Promise<void> {
    const directory = this.#directories[index] ?? '';
    await rm(directory, { recursive: true, force: true });
    await cp(copy, directory, { recursive: true });
  }

  /** Adds a transfer to every running validator's pool. */
  transfer(sending: Omit<Sending, 'nonce'> = {}): void {
    const from = sending.from ?? 0;
    const nonce = this.#nonces.get(from) ?? 0n;
    this.#nonces.set(from, nonce + 1n);
    for (const { world, shell } of this.running) {
      world.submit(world.transaction({ ...sending, nonce }));
      shell.onTransactionAdded();
    }
  }

  height(index: number): number {
    return Number(this.at(index).world.chain.tip.header.height);
  }

  /** Waits until these validators (default: all running) have committed a height, while they make progress. */
  async reach(height: number, indices: readonly number[] = [...this.#running.keys()]): Promise<void> {
    const heights = () => indices.map((index) => Math.min(this.height(index), height));
    await this.until(
      () => heights().every((each) => each === height),
      () => `heights ${heights().join(', ')} of ${height}`,
      () => heights().reduce((sum, each) => sum + each, 0),
    );
  }

  /** @param progress a number; each change restarts the timeout */
  async until(holds: () => boolean, what: () => string, progress: () => number = () => 0): Promise<void> {
    let since = performance.now();
    let before = progress();
    while (!holds()) {
      if (this.failures.length > 0) throw this.failures[0];
      const now = progress();
      if (now !== before) since = performance.now();
      before = now;
      if (performance.now() - since > PATIENCE_MS) {
        const states = this.running.map(({ index, shell }) => {
          const { epoch, view, leader } = shell.metrics();
          return `${index}: height ${this.height(index)}, epoch ${epoch}, view ${view}, leader ${leader}`;
        });
        assert.fail(`${what()}\n${states.join('\n')}\n${this.logged.slice(-40).join('\n')}`);
      }
      await sleep(20);
    }
  }

  /** Hash of a validator's block at a height. */
  hashAt(index: number, height: number): string | undefined {
    const hash = new BlockReader(this.at(index).world.store).header(BigInt(height))?.hash;
    return hash && toHex(hash);
  }

  /** Checks that all running validators have the same blocks, up to the shortest chain. */
  expectOneChain(): void {
    for (let height = 0; ; height++) {
      const hashes = new Set(
        this.running.map(({ index }) => this.hashAt(index, height)).filter((hash) => hash !== undefined),
      );
      if (hashes.size === 0) return;
      assert.equal(hashes.size, 1, `block ${height} differs`);
    }
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((index) => this.stop(index)));
    for (const directory of [...this.#directories, ...this.#copies]) {
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    }
  }
}

function describe(fields: object): string {
  return JSON.stringify(fields, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value instanceof Error ? value.stack : value,
  );
}

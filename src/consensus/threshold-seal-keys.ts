import type { Cancel, Runtime } from '../async/runtime.js';
import type { Log } from '../config/log.js';
import { sealIdentity } from '../crypto/sealing/seal-identity.js';
import type { SealKey } from '../generated/ledger.js';
import type { SealShare } from '../generated/mesh.js';
import { keyFinder, type SealKeyParts, type SealKeys, type UnopenedHeights } from './seal-keys.js';
import type { ThresholdSigner } from './shell/threshold-signatures.js';

/** The epoch whose key shares sign partial keys. */
export interface SealEpoch {
  readonly epoch: bigint;
  readonly quorum: number;
  readonly validators: number;
  /** This validator's index, or -1 if it has no share. */
  readonly self: number;
}

export interface ThresholdSealKeysOptions {
  readonly runtime: Runtime;
  readonly chainId: bigint;
  readonly chain: UnopenedHeights & { tipHeight(): bigint };
  readonly signer: Pick<ThresholdSigner, 'sign' | 'assemble'>;
  /** The epoch of the next block. */
  readonly epoch: () => SealEpoch;
  readonly send: (share: SealShare, to: number | undefined) => void;
  /** Disconnects a validator that sent an invalid message. */
  readonly drop: (peer: number, reason: string) => void;
  /** Called when a new key becomes known. */
  readonly onKey: () => void;
  readonly log: Log;
}

/** Number of keys assembled concurrently, lowest due heights first; a block opens two. */
const AT_ONCE = 8;
/** Maximum number of blocks that a sender of partial keys may be ahead of this node. */
const AHEAD = 16n;
/** Interval in milliseconds at which this node resends its partial keys for heights whose keys are still unknown. */
const REPEAT_MS = 1_000;

interface Collected {
  readonly partials: Map<number, Uint8Array>;
  /** Signers whose partial key was invalid; no second one is accepted. */
  readonly refused: Set<number>;
  assembling: boolean;
}

/**
 * Assembles the keys of heights from the validators' partial keys.
 *
 * 1. A partial key is signed only once its height is committed here, hence final, and has envelopes.
 * 2. Partial keys come from the shares of one epoch: when the next epoch begins, all due heights are signed again.
 * 3. Partial keys are checked only once a quorum has arrived. If they do not combine into a valid signature, each is
 *    checked individually, and the signers of invalid ones are disconnected.
 * 4. At most one partial key is kept per validator and height, for the lowest due heights and those just ahead.
 */
export class ThresholdSealKeys implements SealKeys {
  readonly #options: ThresholdSealKeysOptions;
  readonly #collected = new Map<bigint, Collected>();
  readonly #keys = new Map<bigint, SealKey>();
  readonly #signed = new Set<bigint>();
  /** Due heights after the last commit, lowest first; cached, as the lookup is slower than handling a partial key. */
  #due: readonly bigint[] = [];
  #epoch = -1n;
  /** Called when a new key becomes known. */
  readonly #waiting = new Set<() => void>();
  #cancelRepeat: Cancel | undefined;
  #isRunning = false;

  constructor(options: ThresholdSealKeysOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#repeatLater();
    this.committed();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelRepeat?.();
  }

  async forProposal(due: readonly bigint[], signal: AbortSignal): Promise<SealKeyParts> {
    while (!signal.aborted && due.some((height) => !this.#keys.has(height))) await this.#newKey(signal);
    return keyFinder([...this.#keys.values()]);
  }

  #newKey(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.#waiting.add(end);
      signal.addEventListener('abort', end);
    });
  }

  committed(): void {
    if (!this.#isRunning) return;
    const { epoch } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    this.#refreshDue();
    for (const height of this.#due) void this.#sign(height);
  }

  /** Resends partial keys to a validator that has just connected and may have missed them. */
  onPeerConnected(peer: number): void {
    this.#resend(peer);
  }

  /** Handles a validator's partial key. @param from the sender's index in the epoch's set */
  receive(from: number, share: SealShare): void {
    const { epoch, validators, self } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    // In another epoch the sender may have another index.
    if (share.epoch !== epoch) return;
    if (share.signer !== from) {
      this.#options.drop(from, "another validator's partial key");
      return;
    }
    if (from === self || from >= validators || !this.#isWanted(share.height)) return;
    this.#add(share);
  }

  /** Discards the partial keys of the previous epoch (rule 2). */
  #enter(epoch: bigint): void {
    this.#epoch = epoch;
    this.#collected.clear();
    this.#signed.clear();
  }

  /** Refreshes the due heights (rule 1), and drops the data of heights that no longer have unopened envelopes. */
  #refreshDue(): void {
    const { chain } = this.#options;
    const tipHeight = chain.tipHeight();
    const unopened = chain.unopenedHeights().filter((height) => height <= tipHeight);
    this.#due = unopened.slice(0, AT_ONCE);
    const left = new Set(unopened);
    const isOver = (height: bigint) => height <= tipHeight && !left.has(height);
    for (const kept of [this.#keys, this.#collected]) {
      for (const height of kept.keys()) if (isOver(height)) kept.delete(height);
    }
    for (const height of this.#signed) if (isOver(height)) this.#signed.delete(height);
  }

  /** Whether partial keys of a height are kept (rule 4). */
  #isWanted(height: bigint): boolean {
    const tipHeight = this.#options.chain.tipHeight();
    if (this.#keys.has(height)) return false;
    return height > tipHeight ? height <= tipHeight + AHEAD : this.#due.includes(height);
  }

  async #sign(height: bigint): Promise<void> {
    const { chainId, signer, epoch: current, send, log } = this.#options;
    const { epoch, self } = current();
    // Signs even if the key is known here, because others may lack it.
    if (self < 0 || epoch !== this.#epoch || this.#signed.has(height)) return;
    this.#signed.add(height);
    try {
      const partial = await signer.sign(epoch, sealIdentity(chainId, height));
      if (!this.#isRunning || epoch !== this.#epoch) return;
      const share = { epoch, height, signer: self, partial };
      send(share, undefined);
      this.#add(share);
    } catch (error) {
      if (!this.#isRunning || epoch !== this.#epoch) return;
      this.#signed.delete(height);
      log.warn({ err: error, height: String(height) }, 'failed to sign a partial key');
    }
  }

  #add({ height, signer, partial }: SealShare): void {
    let collected = this.#collected.get(height);
    if (collected === undefined) {
      collected = { partials: new Map(), refused: new Set(), assembling: false };
      this.#collected.set(height, collected);
    }
    if (collected.partials.has(signer) || collected.refused.has(signer)) return;
    collected.partials.set(signer, partial);
    void this.#assemble(height, collected);
  }

  /** Assembles a height's key once a quorum of partial keys has arrived (rule 3). */
  async #assemble(height: bigint, collected: Collected): Promise<void> {
    const { chainId, signer, epoch: current, log, drop, onKey } = this.#options;
    const { epoch, quorum, self } = current();
    if (collected.assembling || collected.partials.size < quorum || this.#keys.has(height)) return;
    collected.assembling = true;
    const partials = Array.from(collected.partials, ([index, signature]) => ({ index, signature }));
    try {
      const { signature, bad } = await signer.assemble(epoch, sealIdentity(chainId, height), partials);
      if (!this.#isRunning || this.#collected.get(height) !== collected) return;
      for (const index of bad) {
        collected.partials.delete(index);
        collected.refused.add(index);
        if (index !== self) drop(index, 'an invalid partial key');
      }
      if (signature !== undefined) {
        this.#keys.set(height, { height, signature });
        for (const end of [...this.#waiting]) end();
        onKey();
      }
    } catch (error) {
      if (this.#isRunning) log.warn({ err: error, height: String(height) }, 'failed to assemble a key');
    } finally {
      collected.assembling = false;
    }
    const tried = new Set(partials.map(({ index }) => index));
    const more = [...collected.partials.keys()].some((index) => !tried.has(index));
    if (more && this.#collected.get(height) === collected) await this.#assemble(height, collected);
  }

  #repeatLater(): void {
    this.#cancelRepeat = this.#options.runtime.after(REPEAT_MS, () => {
      this.#resend(undefined);
      this.#repeatLater();
    });
  }

  #resend(to: number | undefined): void {
    if (!this.#isRunning) return;
    const { epoch, self } = this.#options.epoch();
    if (epoch !== this.#epoch) this.#enter(epoch);
    for (const height of this.#due) {
      const collected = this.#collected.get(height);
      const partial = collected?.partials.get(self);
      if (partial === undefined) void this.#sign(height);
      // Others may lack a key that is known here.
      else this.#options.send({ epoch, height, signer: self, partial }, to);
      // Retries an assembly that failed without any invalid partial key.
      if (collected !== undefined) void this.#assemble(height, collected);
    }
  }
}
